"""`validate-against-pattern`: code against the rules that a document carries (specs/3, tool 1)."""
