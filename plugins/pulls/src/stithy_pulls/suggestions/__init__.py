"""The tool `get_review_suggestions`: what a reviewer of a pull request should check."""
