"""Findings of a body, with keys that are the same for the same finding in later reviews."""

import re
from collections.abc import Iterable
from hashlib import sha256

from attrs import frozen

KEY_DIGITS = 10
NO_WORD = re.compile(r"[\W_]+")


@frozen(kw_only=True)
class Finding:
    """One finding that a bot wrote into a body, without decorations.

    Attributes:
        format: The name of the format; other bots may use the same.
        section: The bot's own word for the section of the body: `nitpick`, `outside_diff`, `duplicate`, `suppressed`.
        path: The file.
        start_line: The first line, if it is about several lines.
        line: The last line; None if it is about the whole file.
        label: The bot's own words for kind and severity: "Potential issue | Minor".
        title: Its heading, if it has one.
        text: The text in Markdown, with code and suggestions, without prompts for agents.
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
        """A digest of format, place and normalized title (else text): the same for a finding repeated in a review."""
        words = NO_WORD.sub(" ", self.title or self.text).strip().casefold()
        parts = (self.format, self.path, str(self.start_line), str(self.line), words)
        return sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:KEY_DIGITS]


@frozen(kw_only=True)
class Findings:
    """The parts of a body.

    Attributes:
        items: The findings, in the order of the body.
        approvals: Praise and remarks in the form of findings; they request nothing.
        rest: The rest of the body without internal state, with everything that was not parsed.
    """

    items: tuple[Finding, ...] = ()
    approvals: tuple[Finding, ...] = ()
    rest: str = ""


def drop_repeats(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return each finding once, the last of those with one key, in the order of first appearance.

    Bots repeat a finding in every later review; the last one is about the newest commit.
    """
    return tuple({finding.key: finding for finding in findings}.values())
