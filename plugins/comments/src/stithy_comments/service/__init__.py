"""The comments service of specs/5, `mcp-github-comments`: conversations over HTTP, as plain JSON.

A request passes `query` (what is wanted), `places` (of what), `admission` (whether there is room for it), `answering`
(reads the stream, once for all who ask the same) and `body` (writes it); `handling` ties them together.
"""
