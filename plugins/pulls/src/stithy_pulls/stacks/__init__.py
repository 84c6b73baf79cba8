"""Stacked pull requests: which stand on which, what became of what is below, and what puts those above in order."""
