"""What CI has come to: every check of the head commit, and what they mean together."""
