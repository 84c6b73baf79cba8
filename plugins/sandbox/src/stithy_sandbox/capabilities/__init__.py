"""The capabilities over a world, and the rules that stand before a write."""
