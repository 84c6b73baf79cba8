"""Resolve what a caller wrote to a repository and its forge."""

from stithy_core.forges.references import ConfiguredForge
from stithy_core.forges.resolver import CONFIGURE, Forges

__all__ = ["CONFIGURE", "ConfiguredForge", "Forges"]
