"""What lessons compare: bounds of the notes, local against central, many answers, what is done afterwards."""
