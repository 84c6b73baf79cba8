"""Writing in threads: replies (REPLY-1), and whether a thread is resolved."""
