"""From the bytes of a file to cells of text: nothing is guessed, and what bursts takes no other process with it."""
