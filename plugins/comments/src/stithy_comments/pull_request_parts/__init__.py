"""One part of a pull request: its details, diff, files, checks, comments, reviews or review comments."""
