"""Earlier pull requests that are similar, by changed files and by title."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Meta, PullRequest

MOST = 5
LEAST = 0.25
OF_FILES, OF_TITLE = 0.6, 0.4
"""The maximum that each term adds to the score."""
ALIKE = 0.6
"""The likeness from which on titles count: unrelated titles are somewhat alike, too."""
NAMED = 3
WITHHELD = "[withheld: "
"""The beginning of a withheld title in lockdown. Such titles are all alike, which means nothing."""


@frozen(kw_only=True)
class ScoreTerm:
    """A part of a score, and its reason."""

    term: Literal["files", "title"]
    points: float
    said: str


@frozen(kw_only=True)
class SimilarPullRequest:
    """A similar earlier pull request.

    Args:
        number: Its number.
        title: Its title.
        similarity_score: From 0 to 1, the sum of the points of `terms`.
        terms: Files count at most 0.6, the title 0.4.
        outcome: Whether it was merged.
        url: Its page.
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
    """Return the most similar ones, the best first.

    Args:
        pull: The pull request.
        paths: The files it changes.
        earlier: Earlier pull requests.
        files: By number, the files that these changed, as far as known.
    """
    rows = [
        _create_similar(other, _score_terms(pull, frozenset(paths), other, files))
        for other in earlier
        if other.ref != pull.ref
    ]
    alike = [row for row in rows if row.similarity_score >= LEAST]
    return sorted(alike, key=lambda row: (-row.similarity_score, -row.number))[:MOST]


def _create_similar(other: PullRequest, terms: tuple[ScoreTerm, ...]) -> SimilarPullRequest:
    return SimilarPullRequest(
        number=other.ref.number,
        title=other.title,
        similarity_score=round(sum(term.points for term in terms), 2),
        terms=terms,
        outcome="merged" if other.merged else "closed",
        url=other.url,
    )


def _score_terms(
    pull: PullRequest, paths: frozenset[str], other: PullRequest, files: Mapping[int, frozenset[str]]
) -> tuple[ScoreTerm, ...]:
    from rapidfuzz import fuzz, utils

    found = []
    theirs = files.get(other.ref.number, frozenset())
    if both := sorted(paths & theirs):
        shared = f"{len(both)} of {len(paths | theirs)} files in common: {', '.join(both[:NAMED])}"
        found.append(ScoreTerm(term="files", points=round(OF_FILES * len(both) / len(paths | theirs), 2), said=shared))
    titles = [one.title for one in (pull, other) if not one.title.startswith(WITHHELD)]
    words = list(filter(None, map(utils.default_process, titles)))  # titles without any letter or digit are all alike
    alike = fuzz.token_sort_ratio(*words) / 100 if len(words) > 1 else 0.0
    if points := round(OF_TITLE * alike, 2) if alike >= ALIKE else 0:
        found.append(ScoreTerm(term="title", points=points, said=f"titles are {alike:.0%} alike"))
    return tuple(found)
