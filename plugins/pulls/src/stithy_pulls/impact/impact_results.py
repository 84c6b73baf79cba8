"""The result of `analyze_pr_impact` (PULL-61), with additional fields."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Hint, Maybe, Meta, Unknown, excerpt, format_count
from stithy_pulls.documents.document_quotes import DocumentQuote, format_quotes
from stithy_pulls.facts.risk_facts import RiskLevel, RiskTerm
from stithy_pulls.facts.short_names import format_short
from stithy_pulls.impact.covering_tests import CoveringTests
from stithy_pulls.impact.impact_areas import ImpactArea
from stithy_pulls.impact.reviewer_ranking import ExcludedReviewer, SuggestedReviewer
from stithy_pulls.impact.similar_pulls import SimilarPullRequest


@frozen(kw_only=True)
class ChangeAmount:
    """The size of the change."""

    files_changed: Maybe[int]
    additions: Maybe[int]
    deletions: Maybe[int]
    commits: Maybe[int]


@frozen(kw_only=True)
class TouchedSymbol:
    """A changed definition; `what` is added, removed, signature or changed."""

    path: Annotated[str, Meta(cut=False)]
    line: int
    name: str
    kind: str
    what: str
    exposed: bool


@frozen(kw_only=True)
class ImpactAnalysis:
    """The impact of a pull request.

    Args:
        pr: The pull request under its current name.
        found_by: git or forge.
        changes: The size of the change.
        risk_level: The overall risk: low below 2 points, high from 5 points on.
        risk_score: The sum of the points of `risk_terms`.
        risk_terms: The facts behind the score; each kind weighs once.
        impact_areas: The areas, the riskiest first.
        suggested_reviewers: The best first; unknown if neither git nor reviews show any.
        suggested_teams: Teams that own files; they take no place of a person.
        left_out: People whom the same facts name, and why they are not suggested.
        similar_prs: The most similar first.
        documents: Quotes of the project's documents about the changed files and their folders, if any.
        symbols: In detailed mode, the changed definitions.
        tests: In detailed mode, the tests of the changed files, by name.
        notes: Further information.
    """

    pr: str
    found_by: Literal["git", "forge"]
    changes: ChangeAmount
    risk_level: RiskLevel
    risk_score: int
    risk_terms: tuple[RiskTerm, ...]
    impact_areas: tuple[ImpactArea, ...]
    suggested_reviewers: Maybe[tuple[SuggestedReviewer, ...]]
    suggested_teams: tuple[SuggestedReviewer, ...] | None
    left_out: tuple[ExcludedReviewer, ...] | None
    similar_prs: Maybe[tuple[SimilarPullRequest, ...]]
    documents: tuple[DocumentQuote, ...] | None
    symbols: Maybe[tuple[TouchedSymbol, ...]] | None
    tests: Maybe[tuple[CoveringTests, ...]] | None
    notes: tuple[str, ...] | None

    def render(self) -> Iterator[str]:
        """Yield the size, the risk with its terms, the areas, the reviewers and similar pull requests."""
        yield f"{self.pr}: {self._format_amount()} ({self.found_by})"
        yield f"Risk {self.risk_level}: {_format_score(self.risk_score, self.risk_terms)}"
        for area in self.impact_areas:
            yield _format_area(area)
        yield from self._format_reviewers()
        for one in () if isinstance(self.similar_prs, Unknown) else self.similar_prs:
            terms = "; ".join(f"{term.points:g} {excerpt(term.said)}" for term in one.terms)
            what = f"{format_short(self.pr, one.number)} {one.outcome} {one.similarity_score:g} ({terms})"
            yield f"Similar: {what}: {excerpt(one.title, 80)}"
        yield from format_quotes(self.documents or ())
        yield from self._format_details()
        for note in self.notes or ():
            yield f"Note: {excerpt(note, 400)}"

    def _format_amount(self) -> str:
        amount = self.changes
        lines = [("+", amount.additions), ("-", amount.deletions)]
        added, removed = (f"{sign}{'?' if isinstance(one, Unknown) else f'{one:,}'}" for sign, one in lines)
        files, commits = _format_amount_of(amount.files_changed, "file"), _format_amount_of(amount.commits, "commit")
        return f"{files}, {added} {removed}, {commits}"

    def _format_reviewers(self) -> Iterator[str]:
        if isinstance(self.suggested_reviewers, Unknown):
            yield f"Reviewers: unknown: {self.suggested_reviewers.reason}"
            return
        for one in (*self.suggested_reviewers, *(self.suggested_teams or ())):
            yield _format_reviewer(one)
        for left in self.left_out or ():
            yield f"Not suggested: {excerpt(left.username, 80)}: {left.why}"
        if not self.suggested_reviewers:
            yield Hint("Reviewers: nobody, see the notes")

    def _format_details(self) -> Iterator[str]:
        for symbol in () if isinstance(self.symbols, Unknown) else self.symbols or ():
            exposed = ", public" if symbol.exposed else ""
            where = f"{excerpt(symbol.path)}:{symbol.line}"
            yield f"- {symbol.what}: {symbol.kind} {excerpt(symbol.name, 120)} ({where}{exposed})"
        for one in () if isinstance(self.tests, Unknown) else self.tests or ():
            yield f"- tests of {excerpt(one.path)}: {', '.join(map(excerpt, one.tests)) or 'none found by name'}"


def _format_reviewer(one: SuggestedReviewer) -> str:
    who = one.name if isinstance(one.username, Unknown) else f"@{one.username}"
    terms = " + ".join(f"{points:g} {name}" for name, points in (one.terms or {}).items())
    score = f"{one.confidence:g} = {terms}" if terms else f"{one.confidence:g}"
    requested = ", already requested" if one.already else ""
    return f"{'Team' if one.kind == 'team' else 'Reviewer'}: {excerpt(who or '', 80)} {score}{requested}: {one.reason}"


def _format_amount_of(count: Maybe[int], noun: str) -> str:
    return f"? {noun}s" if isinstance(count, Unknown) else format_count(count, noun)


def _format_area(area: ImpactArea) -> str:
    more = f" and {area.file_count - len(area.files[:3])} more" if area.file_count > len(area.files[:3]) else ""
    files = ", ".join(excerpt(path) for path in area.files[:3])
    owners = f"; owners {', '.join(excerpt(owner, 60) for owner in area.owners)}" if area.owners else ""
    where = f"{area.category} in {excerpt(area.area)}"
    return f"- {where}: {area.risk_level} ({_format_score(area.risk_score, area.risk_terms)}); {files}{more}{owners}"


def _format_score(score: int, terms: Sequence[RiskTerm]) -> str:
    if not terms:
        return "0"
    return f"{score} = " + " + ".join(f"{term.points} {excerpt(term.fact, 120)}" for term in terms)
