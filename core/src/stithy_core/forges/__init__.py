"""From what a caller wrote to the repository and the forge it means."""

from stithy_core.forges.resolver import Configured, Forges

__all__ = ["Configured", "Forges"]
