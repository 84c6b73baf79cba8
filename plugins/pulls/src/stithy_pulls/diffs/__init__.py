"""What a pull request changes: files, hunks and lines, from git or from the forge's API."""
