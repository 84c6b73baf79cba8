"""Prompts: JSON files of the project, and those that are built in."""
