"""Names that other modules still look for here."""

from stithy_gitea.addresses import API
from stithy_gitea.paths import path_of
from stithy_gitea.subjects import BLANK_FAULT

__all__ = ["API", "BLANK_FAULT", "path_of"]
