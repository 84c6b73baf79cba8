"""Resolve what a caller wrote to a repository and its forge."""

from stithy_core.forges.references import ConfiguredForge
from stithy_core.forges.resolver import Forges

__all__ = ["ConfiguredForge", "Forges"]
