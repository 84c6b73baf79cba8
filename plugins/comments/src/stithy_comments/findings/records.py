"""What was found in a body."""

import re
from collections.abc import Iterable
from hashlib import sha256

from attrs import frozen

KEY_DIGITS = 10
NO_WORD = re.compile(r"[\W_]+")


@frozen(kw_only=True)
class Finding:
    """One finding that a bot wrote into a body, as it stands there, without decorations.

    Attributes:
        format: Whose shape it has; other bots write the same shapes.
        section: The bot's own word for its part of the body: `nitpick`, `outside_diff`, `duplicate`, `suppressed`.
        path: The file.
        start_line: Where it begins, if it is about several lines.
        line: The line, or where it ends; None when it is about the whole file.
        label: The bot's own words for kind and weight: "Potential issue | Minor".
        title: Its heading, if it has one.
        text: What it says, Markdown; code and suggestions are kept, calls to agents are not.
    """

    format: str
    section: str
    path: str
    start_line: int | None = None
    line: int | None = None
    label: str | None = None
    title: str | None = None
    text: str = ""

    @property
    def key(self) -> str:
        """The same for the same finding in two reviews: of its format, place and normalised title, else text."""
        words = NO_WORD.sub(" ", self.title or self.text).strip().casefold()
        parts = (self.format, self.path, str(self.start_line), str(self.line), words)
        return sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:KEY_DIGITS]


@frozen(kw_only=True)
class Findings:
    """What a body holds.

    Attributes:
        items: The findings, in the order of the body.
        approvals: What has the form of a finding but only praises or remarks; nothing is asked there.
        rest: The body without both and without internal state, everything that was not understood included.
    """

    items: tuple[Finding, ...] = ()
    approvals: tuple[Finding, ...] = ()
    rest: str = ""


def distinct(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Give each finding once, the last of those with one key, in the order of their first appearance.

    Bots say a finding again in every later review; the last one speaks of the newest commit.
    """
    return tuple({finding.key: finding for finding in findings}.values())
