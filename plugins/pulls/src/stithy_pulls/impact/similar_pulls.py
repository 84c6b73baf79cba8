"""Earlier pull requests that are like one, by the files they changed and by their titles."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Meta, PullRequest

MOST = 5
LEAST = 0.25
OF_FILES, OF_TITLE = 0.6, 0.4
"""What each term may add at most."""
ALIKE = 0.6
"""From where on two titles are alike: they are never wholly unlike."""
NAMED = 3
WITHHELD = "[withheld: "
"""What stands in a title's place in lockdown is like any other of its kind, which says nothing."""


@frozen(kw_only=True)
class ScoreTerm:
    """A part of a score, and what it was taken from."""

    term: Literal["files", "title"]
    points: float
    said: str


@frozen(kw_only=True)
class SimilarPullRequest:
    """An earlier pull request.

    Args:
        number: Its number.
        title: As it is called.
        similarity_score: From 0 to 1, the sum of the points of `terms`.
        terms: Files count at most 0.6, the title 0.4.
        outcome: Whether it was merged.
        url: Where it is.
    """

    number: int
    title: Annotated[str, Meta(cut=True)]
    similarity_score: float
    terms: tuple[ScoreTerm, ...]
    outcome: Literal["merged", "closed"]
    url: str


def find_similar(
    pull: PullRequest, paths: Sequence[str], earlier: Sequence[PullRequest], files: Mapping[int, frozenset[str]]
) -> list[SimilarPullRequest]:
    """Give the most alike, the best first.

    Args:
        pull: The pull request.
        paths: The files it changes.
        earlier: Those that ended.
        files: By number, what these changed, as far as it is known.
    """
    rows = [_row(other, _terms(pull, frozenset(paths), other, files)) for other in earlier if other.ref != pull.ref]
    alike = [row for row in rows if row.similarity_score >= LEAST]
    return sorted(alike, key=lambda row: (-row.similarity_score, -row.number))[:MOST]


def _row(other: PullRequest, terms: tuple[ScoreTerm, ...]) -> SimilarPullRequest:
    return SimilarPullRequest(
        number=other.ref.number,
        title=other.title,
        similarity_score=round(sum(term.points for term in terms), 2),
        terms=terms,
        outcome="merged" if other.merged else "closed",
        url=other.url,
    )


def _terms(
    pull: PullRequest, paths: frozenset[str], other: PullRequest, files: Mapping[int, frozenset[str]]
) -> tuple[ScoreTerm, ...]:
    from rapidfuzz import fuzz, utils

    found = []
    theirs = files.get(other.ref.number, frozenset())
    if both := sorted(paths & theirs):
        shared = f"{len(both)} of {len(paths | theirs)} files are in both: {', '.join(both[:NAMED])}"
        found.append(ScoreTerm(term="files", points=round(OF_FILES * len(both) / len(paths | theirs), 2), said=shared))
    said = [one.title for one in (pull, other) if not one.title.startswith(WITHHELD)]
    alike = fuzz.token_sort_ratio(*said, processor=utils.default_process) / 100 if len(said) > 1 else 0.0
    if points := round(OF_TITLE * alike, 2) if alike >= ALIKE else 0:
        found.append(ScoreTerm(term="title", points=points, said=f"titles are {alike:.0%} alike"))
    return tuple(found)
