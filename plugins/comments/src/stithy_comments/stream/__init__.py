"""Everything that is said on a pull request as one stream: read, normalised, merged and summed up (SERVE-4).

Only `conversation` knows of tools. Whoever serves the same in another way takes a `Selection`, then in turn `read`
(asks the forge), `merged` and `summarise` (which only compute).
"""
