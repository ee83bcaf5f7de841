"""What a table may be asked, and the expressions that turn each question into exact whole numbers."""
