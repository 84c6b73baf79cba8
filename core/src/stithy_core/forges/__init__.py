"""From what a caller wrote to the repository and the forge it means."""

from stithy_core.forges.resolver import CONFIGURE, ConfiguredForge, Forges

__all__ = ["CONFIGURE", "ConfiguredForge", "Forges"]
