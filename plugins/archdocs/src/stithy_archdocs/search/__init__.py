"""Search over the sections of documents."""
