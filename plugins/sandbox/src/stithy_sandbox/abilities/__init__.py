"""The nine abilities over a world, and the rules that stand before a write."""
