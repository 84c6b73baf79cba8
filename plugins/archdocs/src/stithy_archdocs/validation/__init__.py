"""The tool `validate-against-pattern`: check code against the rules in a document (ARCH-3)."""
