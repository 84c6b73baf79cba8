"""The comments service `mcp-github-comments` (SERVE-1): conversations over HTTP, as plain JSON.

A request passes `query` (parameters), `places` (the forge and the reference), `admission` (the request budget),
`answering` (reads the stream, once for identical concurrent requests) and `body` (JSON); `handling` connects them.
"""
