"""What a pull request changes, by git or from the forge: files, hunks and lines, and what files are by their names."""
