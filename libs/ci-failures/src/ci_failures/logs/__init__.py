"""From the bytes of a log to its failures.

`cleaning` makes lines of bytes, a chunk at a time, and `streams` parts them where several runs print into one log.
`reading` looks through them once for the literals of all parsers, and in `runs` only a parser that is awake reads them.
"""
