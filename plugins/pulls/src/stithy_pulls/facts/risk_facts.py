"""A fact about a changed file, and what several come to."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from attrs import frozen

RiskLevel: TypeAlias = Literal["low", "medium", "high"]

MEDIUM, HIGH = 2, 5
"""From how many points on a risk is that."""


@frozen(kw_only=True)
class Fact:
    """Something about a change that can be pointed at.

    Args:
        kind: In a word or two, such as `secret`; facts of one kind weigh once, however many they are.
        focus: What it is about: security, api, database, dependencies, tests, infrastructure, maintenance or size.
        path: In which file; empty where it is about all.
        line: Where in the new file; in the old one where it was removed. None for the whole file.
        text: What is so.
        points: What it weighs.
    """

    kind: str
    focus: str
    path: str
    line: int | None = None
    text: str
    points: int

    def format_with_line(self) -> str:
        """Give it with its line."""
        return f"line {self.line}: {self.text}" if self.line else self.text


@frozen(kw_only=True)
class RiskTerm:
    """What one kind of fact adds: the points, how often it is there, and the first place."""

    fact: str
    points: int
    count: int


@frozen
class Risk:
    """A score that is the sum of its terms, and its level: low below 2 points, high from 5 on."""

    terms: tuple[RiskTerm, ...] = ()

    @property
    def score(self) -> int:
        """The sum of all terms' points."""
        return sum(term.points for term in self.terms)

    @property
    def level(self) -> RiskLevel:
        """The risk level in the words of PULL-61."""
        return "high" if self.score >= HIGH else "medium" if self.score >= MEDIUM else "low"


def score_risk(facts: Iterable[Fact]) -> Risk:
    """Sum facts up; those that weigh nothing are no terms."""
    kinds: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.points:
            kinds.setdefault(fact.kind, []).append(fact)
    terms = [_term(found) for found in kinds.values()]
    return Risk(tuple(sorted(terms, key=lambda term: (-term.points, term.fact))))


def _term(facts: list[Fact]) -> RiskTerm:
    heaviest = max(facts, key=lambda fact: fact.points)  # the first of those
    place = f" ({heaviest.path}{f':{heaviest.line}' if heaviest.line else ''})" if heaviest.path else ""
    return RiskTerm(fact=f"{heaviest.kind}: {heaviest.text}{place}", points=heaviest.points, count=len(facts))
