"""The privacy label of an answer: values, pages, text."""
