"""The version of every distribution of this repository: all are released together."""

__version__ = "0.1.0"
