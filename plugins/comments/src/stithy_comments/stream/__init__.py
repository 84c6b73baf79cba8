"""The conversation of a pull request as one stream: read, normalized, merged and summarized (SERVE-4).

The tool's handler is in `stream_handler`. The comments service uses the same steps: a `Selection`, then
`read_stream_sources` (requests to the forge), `merge_sources` and `summarize_stream` (no requests).
"""
