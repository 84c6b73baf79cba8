"""The tool `manage_stacked_prs`: plan the rebase of stacked pull requests."""
