"""Facts about a diff, each with a place and points of risk."""
