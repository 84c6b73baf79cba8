"""The tool `detect_merge_conflicts`: the conflicts of a merge, found by git."""
