"""`check_merge_readiness`: what stands before a merge, who must act, and what nobody here may see."""
