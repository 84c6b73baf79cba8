"""Prompts: built-in ones, and JSON files of the project."""
