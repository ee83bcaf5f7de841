"""The frame that lessons and attacks share: steps, questions with feedback, pickers, the rows of an attack."""
