"""A fact about a changed file, and the risk score of several facts."""

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

from attrs import frozen

RiskLevel: TypeAlias = Literal["low", "medium", "high"]

CALLED_REVERT = re.compile(r"\brevert(?!er|ing to)", re.IGNORECASE)
"""A subject or a title that calls a change a revert."""
MEDIUM, HIGH = 2, 5
"""Points from which on a risk is medium, or high."""


@frozen(kw_only=True)
class Fact:
    """Something about a change that has a place.

    Args:
        kind: One or two words, such as `secret`. Facts of one kind weigh once, however many there are.
        focus: The topic: security, api, database, dependencies, tests, infrastructure, maintenance or size.
        path: The file; empty for a fact about the whole diff.
        line: The line in the new file; in the old file for a removed line. None for the whole file.
        text: The fact.
        points: Its weight.
        names: What the text names, as far as a title may name it, too.
        versions: The new versions of what it names, if it is about versions.
    """

    kind: str
    focus: str
    path: str
    line: int | None = None
    text: str
    points: int
    names: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()

    def format_with_line(self) -> str:
        """Return the text with its line number."""
        return f"line {self.line}: {self.text}" if self.line else self.text


@frozen(kw_only=True)
class RiskTerm:
    """What one kind of fact adds to a score: its points, how often it occurs, and the first place."""

    fact: str
    points: int
    count: int


@frozen
class Risk:
    """A score, the sum of its terms; and its level: low below 2 points, high from 5 points on."""

    terms: tuple[RiskTerm, ...] = ()

    @property
    def score(self) -> int:
        """The sum of the points of all terms."""
        return sum(term.points for term in self.terms)

    @property
    def level(self) -> RiskLevel:
        """The risk level: low, medium or high (PULL-61)."""
        return "high" if self.score >= HIGH else "medium" if self.score >= MEDIUM else "low"


def score_risk(facts: Iterable[Fact]) -> Risk:
    """Sum up facts. Facts without points are not terms."""
    kinds: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.points:
            kinds.setdefault(fact.kind, []).append(fact)
    terms = [_create_term(found) for found in kinds.values()]
    return Risk(tuple(sorted(terms, key=lambda term: (-term.points, term.fact))))


def _create_term(facts: list[Fact]) -> RiskTerm:
    heaviest = max(facts, key=lambda fact: fact.points)  # the first one if several weigh the same
    place = f" ({heaviest.path}{f':{heaviest.line}' if heaviest.line else ''})" if heaviest.path else ""
    return RiskTerm(fact=f"{heaviest.kind}: {heaviest.text}{place}", points=heaviest.points, count=len(facts))
