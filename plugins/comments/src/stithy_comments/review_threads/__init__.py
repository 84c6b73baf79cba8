"""Writes to review threads: replies (REPLY-1), resolving and unresolving."""
