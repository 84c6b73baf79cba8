"""Arguments that no tool has: a host may add its own to every schema and pass them on, and a caller may misspell."""

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

from stithy_core.spi.fields import CURSOR_ARGUMENT, DRY_RUN_ARGUMENT, WORKFLOW_ARGUMENT

RESERVED = frozenset({CURSOR_ARGUMENT, DRY_RUN_ARGUMENT, WORKFLOW_ARGUMENT})
"""Names that mean something to callers though no tool may have them now."""
LONGEST = 100
"""Characters of a name that are compared; a longer one resembles nothing."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ORDER = frozenset({"wait", "for", "on", "until", "previous", "prior", "preceding", "other", "parallel", "sequential"})
_ORDER_OF_CALLS = _ORDER | {"tool", "tools", "call", "calls", "turn", "id", "index"}
"""A name of several of these words, and no other, orders calls among each other and says nothing of what they do."""


def is_addition(name: str, own: Collection[str], others: Collection[str], *, writes: bool) -> bool:
    """Return whether an unknown argument is an addition of the host, so that the call means the same without it.

    A host cannot tell the server which arguments it adds: Gemini CLI adds `wait_for_previous` to every schema and
    passes it on. What resembles an argument of the tool is a misspelling, and what another tool takes is a mistake.
    Of a tool that writes, anything else could restrict what is written (`preview`, `only_if_open`), so there the name
    must say nothing but in which order calls are made.

    Args:
        name: The argument.
        own: The arguments of the tool.
        others: The arguments of all tools that are served.
        writes: Whether the tool leaves something behind.
    """
    if name in others:
        return False
    words = _words(name)
    if len(words) > 1 and _ORDER_OF_CALLS.issuperset(words):
        return "_".join(words) not in own
    return not writes and nearest(name, own) is None


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the name that was probably meant; None where none resembles it.

    Close spellings come first, then those that share all words of the one with the other (`pr_number`, `pr`), then
    those that begin alike (`repo`, `repository`).
    """
    spelt = {"_".join(_words(one)): one for one in names}
    wanted = _words(name[:LONGEST])
    joined = "_".join(wanted)
    if near := get_close_matches(joined, spelt, n=1):
        return spelt[near[0]]
    shared = (one for key, one in spelt.items() if wanted and _share_words(wanted, key.split("_")))
    begun = (one for key, one in spelt.items() if len(joined) > 1 and key.startswith(joined))
    return next(shared, None) or next(begun, None)


def _words(name: str) -> Sequence[str]:
    """Split a name in any usual case: `dryRun`, `dry-run` and `DRY_RUN` are the same words."""
    return [word.lower() for word in _WORD.findall(name[: LONGEST + 1])]


def _share_words(these: Sequence[str], those: Sequence[str]) -> bool:
    return set(these) <= set(those) or set(those) <= set(these)
