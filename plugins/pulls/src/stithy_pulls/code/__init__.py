"""Definitions in source code, parsed with ast-grep."""
