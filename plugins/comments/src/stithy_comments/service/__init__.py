"""The comments service `mcp-github-comments` (SERVE-1): conversations over HTTP, as plain JSON.

`endpoint_handlers` parses a request (`query_parameters`, and the forge and the reference from the path).
`shared_answers` checks the request budget and reads the stream, once for identical concurrent requests; `response_body`
writes it as JSON.
"""
