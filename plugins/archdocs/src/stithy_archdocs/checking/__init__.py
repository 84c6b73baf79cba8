"""Checks of all documents: the tool, the commands, the check of `stithy doctor`, and the graph of decisions."""
