"""The tool `detect_merge_conflicts`: the conflicts that git finds when it merges a pull request."""
