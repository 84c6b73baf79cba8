"""`detect_merge_conflicts`: what git would say if a pull request were merged now."""
