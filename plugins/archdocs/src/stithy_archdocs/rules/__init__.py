"""Rules in documents: parsed, tested on their own samples, and applied to code."""
