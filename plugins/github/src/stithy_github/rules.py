"""What branches demand: classic protection and rulesets, which hold at once (field notes on GitHub's API, section 8).

Everybody who may read sees rulesets, and whether a branch is protected at all. What a classic protection demands is
for administrators, and a part of it, in GraphQL, for writers. What the token may not see is unknown, never "nothing".
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from attrs import evolve

from stithy_core.spi import (
    BranchRules,
    Forbidden,
    ForgeError,
    Listing,
    NotFound,
    RateLimited,
    RepositoryRef,
    Rules,
    Unauthorized,
    Unknown,
    each,
    known,
)
from stithy_github.absence import absent_repository
from stithy_github.counting import PAGE
from stithy_github.mapping import path_of
from stithy_github.rules_mapping import HIDDEN, contexts_of, from_protection, from_ref
from stithy_github.rules_queries import PROTECTION
from stithy_github.rulesets_mapping import from_rules
from stithy_github.strictness import NOTHING, completed, strictest

NONE_THERE = "Branch not protected"
UPGRADE = "Upgrade to GitHub"
WRITERS = ("ADMIN", "MAINTAIN", "WRITE")
OFF = "off"
