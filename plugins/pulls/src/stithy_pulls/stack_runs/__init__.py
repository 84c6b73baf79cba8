"""The command `stithy stack`: carries out the plan of `manage_stacked_prs` in the user's clone, with a journal."""
