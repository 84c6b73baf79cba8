"""`validate-against-pattern`: code against the rules that a document carries (ARCH-3)."""
