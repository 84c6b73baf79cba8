"""The answer of `get_failing_tests`: entries, instructions and lines of text."""
