"""The capabilities of the sandbox, and the checks before a write."""
