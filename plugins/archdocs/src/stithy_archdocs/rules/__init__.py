"""Rules that documents carry: read from them, tried on their own samples, and held against code."""
