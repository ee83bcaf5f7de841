"""The policy brief of a plan: values, pages, pictures."""
