"""`get_failing_tests`: what was found, as entries, instructions and lines of text."""
