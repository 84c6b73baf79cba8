"""One part of a pull request: itself, its diff, files, checks, comments, reviews or review comments."""
