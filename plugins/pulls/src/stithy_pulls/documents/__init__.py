"""What the project's own documents say of the files that change."""
