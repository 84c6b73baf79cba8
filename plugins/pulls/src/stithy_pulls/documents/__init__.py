"""Quotes of the project's documents about changed files."""
