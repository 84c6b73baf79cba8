"""The core of stithy: it finds plugins, checks what they offer and serves it; it holds no forge and no job."""

__version__ = "0.1.0"
