"""Issues, pull requests and their conversations (COM-1, COM-9)."""
