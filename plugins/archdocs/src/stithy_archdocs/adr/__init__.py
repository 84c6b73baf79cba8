"""What a decision record says of itself: status, links, options, numbers, and the chains between records."""
