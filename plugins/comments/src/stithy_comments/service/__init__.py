"""The comments service `mcp-github-comments` (SERVE-1): conversations over HTTP, as plain JSON.

A request passes `query_parameters`, `path_lookup` (the forge and the reference), `request_budget`, `shared_answers`
(reads the stream, once for identical concurrent requests) and `response_body`; `endpoint_handlers` connects them.
"""
