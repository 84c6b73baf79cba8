"""The comments service `mcp-github-comments` (SERVE-1): conversations over HTTP, as plain JSON.

A request passes `query` (what is wanted), `places` (of what), `admission` (whether there is room for it), `answering`
(reads the stream, once for all who ask the same) and `body` (writes it); `handling` ties them together.
"""
