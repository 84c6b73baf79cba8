"""What of a diff deserves a reader's eye: facts with their places and what they weigh, and never an opinion."""
