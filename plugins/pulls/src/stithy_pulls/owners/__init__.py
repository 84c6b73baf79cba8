"""Code owners of changed files."""
