"""The result of `analyze_pr_impact`: the schema of PULL-61, with additional fields."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Hint, Maybe, Meta, Unknown, excerpt
from stithy_pulls.documents.document_quotes import DocumentQuote, format_quotes
from stithy_pulls.facts.risk_facts import RiskLevel, RiskTerm
from stithy_pulls.impact.covering_tests import CoveringTests
from stithy_pulls.impact.impact_areas import ImpactArea
from stithy_pulls.impact.reviewer_ranking import ExcludedReviewer, SuggestedReviewer
from stithy_pulls.impact.similar_pulls import SimilarPullRequest
from stithy_pulls.phrases import format_count


@frozen(kw_only=True)
class ChangeAmount:
    """How much changed."""

    files_changed: Maybe[int]
    additions: Maybe[int]
    deletions: Maybe[int]
    commits: Maybe[int]


@frozen(kw_only=True)
class TouchedSymbol:
    """A definition that is touched: `what` is added, removed, signature or changed."""

    path: Annotated[str, Meta(cut=False)]
    line: int
    name: str
    kind: str
    what: str
    exposed: bool


@frozen(kw_only=True)
class ImpactAnalysis:
    """What a pull request touches.

    Args:
        pr: Under its present name.
        found_by: git or forge.
        changes: How much.
        risk_level: Of all together; low below 2 points, high from 5 on.
        risk_score: The sum of the points of `risk_terms`.
        risk_terms: The facts that led to it; each kind weighs once.
        impact_areas: The riskiest first.
        suggested_reviewers: The best first; unknown where neither git nor reviews tell.
        left_out: Whom the same facts speak for, and why they are not suggested.
        similar_prs: The most alike first.
        documents: What the project's documents say of the changed files and their folders, where they do.
        symbols: In detailed mode, the definitions that are touched.
        tests: In detailed mode, the tests that cover the changed files by their names.
        notes: What else somebody should know.
    """

    pr: str
    found_by: Literal["git", "forge"]
    changes: ChangeAmount
    risk_level: RiskLevel
    risk_score: int
    risk_terms: tuple[RiskTerm, ...]
    impact_areas: tuple[ImpactArea, ...]
    suggested_reviewers: Maybe[tuple[SuggestedReviewer, ...]]
    left_out: tuple[ExcludedReviewer, ...] | None
    similar_prs: Maybe[tuple[SimilarPullRequest, ...]]
    documents: tuple[DocumentQuote, ...] | None
    symbols: Maybe[tuple[TouchedSymbol, ...]] | None
    tests: Maybe[tuple[CoveringTests, ...]] | None
    notes: tuple[str, ...] | None

    def render(self) -> Iterator[str]:
        """Give the size, the risk with its terms, the areas, and whom and what to look at."""
        yield f"{self.pr}: {self._amount()} ({self.found_by})"
        yield f"Risk {self.risk_level}: {_sum(self.risk_score, self.risk_terms)}"
        for area in self.impact_areas:
            yield _area_line(area)
        yield from self._reviewers()
        for one in () if isinstance(self.similar_prs, Unknown) else self.similar_prs:
            said = "; ".join(f"{term.points:g} {excerpt(term.said)}" for term in one.terms)
            yield f"Similar: #{one.number} {one.outcome} {one.similarity_score:g} ({said}): {excerpt(one.title, 80)}"
        yield from format_quotes(self.documents or ())
        yield from self._details()
        for note in self.notes or ():
            yield f"Note: {excerpt(note, 400)}"

    def _amount(self) -> str:
        amount = self.changes
        lines = [("+", amount.additions), ("-", amount.deletions)]
        added, removed = (f"{sign}{'?' if isinstance(one, Unknown) else f'{one:,}'}" for sign, one in lines)
        return f"{_counted(amount.files_changed, 'file')}, {added} {removed}, {_counted(amount.commits, 'commit')}"

    def _reviewers(self) -> Iterator[str]:
        if isinstance(self.suggested_reviewers, Unknown):
            yield f"Reviewers: not known: {self.suggested_reviewers.reason}"
            return
        for one in self.suggested_reviewers:
            who = one.name if isinstance(one.username, Unknown) else f"@{one.username}"
            asked = ", already asked" if one.already else ""
            yield f"Reviewer: {excerpt(who or '', 80)} {one.confidence:g}{asked}: {one.reason}"
        for left in self.left_out or ():
            yield f"Not suggested: {excerpt(left.username, 80)}: {left.why}"
        if not self.suggested_reviewers:
            yield Hint("Reviewers: nobody was found who owns, wrote or reviewed this code")

    def _details(self) -> Iterator[str]:
        for symbol in () if isinstance(self.symbols, Unknown) else self.symbols or ():
            exposed = ", exposed" if symbol.exposed else ""
            where = f"{excerpt(symbol.path)}:{symbol.line}"
            yield f"- {symbol.what}: {symbol.kind} {excerpt(symbol.name, 120)} ({where}{exposed})"
        for one in () if isinstance(self.tests, Unknown) else self.tests or ():
            yield f"- tests of {excerpt(one.path)}: {', '.join(map(excerpt, one.tests)) or 'none by name'}"


def _counted(count: Maybe[int], noun: str) -> str:
    return f"? {noun}s" if isinstance(count, Unknown) else format_count(count, noun)


def _area_line(area: ImpactArea) -> str:
    more = f" and {area.file_count - len(area.files[:3])} more" if area.file_count > len(area.files[:3]) else ""
    files = ", ".join(excerpt(path) for path in area.files[:3])
    owners = f"; owners {', '.join(excerpt(owner, 60) for owner in area.owners)}" if area.owners else ""
    where = f"{area.category} in {excerpt(area.area)}"
    return f"- {where}: {area.risk_level} ({_sum(area.risk_score, area.risk_terms)}); {files}{more}{owners}"


def _sum(score: int, terms: Sequence[RiskTerm]) -> str:
    if not terms:
        return "0"
    return f"{score} = " + " + ".join(f"{term.points} {excerpt(term.fact, 120)}" for term in terms)
