"""Code as syntax trees: which functions and classes a change touches, and what of an interface it breaks."""
