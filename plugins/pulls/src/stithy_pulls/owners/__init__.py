"""Who owns code, as the file of code owners says, line by line."""
