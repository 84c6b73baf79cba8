"""Quick actions: lines of a text that GitLab carries out, with the token's rights, and removes from the text.

https://docs.gitlab.com/user/project/quick_actions/
"""

import re

from stithy_core.spi import Rejected

ACTION = re.compile(r" {0,3}/([A-Za-z_]+)(?=\s|$)")
FENCE = re.compile(r"```")


def find_quick_actions(body: str) -> list[str]:
    """Return the words of lines that may be quick actions, such as `merge`; closed code fences are left out.

    Which words a server knows depends on its version and edition, so that every word counts.
    """
    lines = body.splitlines()
    fences = [place for place, line in enumerate(lines) if FENCE.match(line)]
    pairs = list(zip(fences[::2], fences[1::2], strict=False))
    outside = (line for place, line in enumerate(lines) if not any(first < place < last for first, last in pairs))
    return [found[1] for line in outside if (found := ACTION.match(line))]


def refuse_quick_actions(body: str) -> None:
    """Check that a text does nothing but be stored.

    Raises:
        Rejected: A line of it begins with a quick action; nothing was sent.
    """
    if words := find_quick_actions(body):
        named = ", ".join(f"/{word}" for word in dict.fromkeys(words))
        raise Rejected(
            f"GitLab would carry out {named} instead of storing the text; nothing was sent",
            suggestion="Put such a line into a code block, or write a word before the slash.",
            details={"quick_actions": words},
        )
