"""Writing in threads: replies (specs/4), and whether a thread is resolved."""
