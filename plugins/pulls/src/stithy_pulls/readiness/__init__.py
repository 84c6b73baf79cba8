"""The tool `check_merge_readiness`: whether a pull request can be merged, and what blocks it."""
