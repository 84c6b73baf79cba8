"""Resolve what a caller wrote to a repository and its forge."""

from stithy_core.forges.resolver import CONFIGURE, ConfiguredForge, Forges

__all__ = ["CONFIGURE", "ConfiguredForge", "Forges"]
