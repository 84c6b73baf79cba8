"""The conversation of a pull request as one stream: read, normalized, merged and summarized (SERVE-4).

The tool's handler is `conversation`; the comments service uses the same steps: a `Selection`, then `read` (requests to
the forge), `merged` and `summarise` (no requests).
"""
