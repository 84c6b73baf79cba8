"""The state of CI: every check of the head commit, and their common status."""
