"""From the bytes of a log to its failures.

`cleaning` splits bytes into cleaned lines, one chunk at a time, and `streams` separates several runs that print into
one log. `log_reader` searches the lines once for the literals of all parsers, and in `parser_run` only awake parsers
read.
"""
