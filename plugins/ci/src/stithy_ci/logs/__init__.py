"""From the bytes of a log to its failures.

`cleaning` makes lines of bytes, a chunk at a time. `reading` looks through them once for the literals of all parsers,
and only a parser that is awake reads lines.
"""
