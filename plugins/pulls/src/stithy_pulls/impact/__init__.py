"""The tool `analyze_pr_impact`: what a pull request changes, its risk, reviewers and similar pull requests."""
