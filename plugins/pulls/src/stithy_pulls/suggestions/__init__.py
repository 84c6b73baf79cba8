"""`get_review_suggestions`: what a reviewer should look at, with its places, and the lines to look at."""
