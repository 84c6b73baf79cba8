"""From files to documents: locate files safely, parse any content, and cache until a file changes."""
