"""Real exchanges with GitHub, read in place, and what the model has to make of each object in them."""
