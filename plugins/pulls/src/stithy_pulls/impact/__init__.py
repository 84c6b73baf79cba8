"""`analyze_pr_impact`: what a pull request touches, what that risks, who knows it, and what was like it before."""
