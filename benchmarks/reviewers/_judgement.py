"""Compare the people that the tool suggests, and those of three baselines, with those who decided."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen
from benchmarks.reviewers._accounts import AccountGroups, list_identities
from benchmarks.reviewers._histories import ReviewCase

from stithy_core.spi import BranchRef, PullRequest, PullRequestRef, RepositoryRef, User
from stithy_pulls.impact.merge_decisions import MergeDecision
from stithy_pulls.impact.reviewer_candidates import collect_candidates
from stithy_pulls.impact.reviewer_ranking import (
    RankingContext,
    build_term_context,
    explain_exclusion,
    is_author_of,
    rank_reviewers,
)
from stithy_pulls.impact.reviewer_terms import TermName, measure_candidate

REPOSITORY = RepositoryRef("owner", "name")
RECENT = 100
"""Decided changes of the baseline of mergers."""
LISTS = ("stithy", "mergers", "last authors", "code owners")


@frozen(kw_only=True)
class JudgedCase:
    """A case, and who was suggested.

    Args:
        truth: The logins of those who decided.
        shares: By candidate, the share in each term, for fitting.
        lists: By the name in `LISTS`, the suggested logins, the best first.
    """

    truth: frozenset[str]
    shares: Mapping[str, Mapping[TermName, float]]
    lists: Mapping[str, Sequence[str]]

    def is_hit(self, name: str, most: int) -> bool:
        """Return whether one who decided is among the first."""
        return bool(self.truth.intersection(self.lists[name][:most]))


def judge_cases(cases: Sequence[ReviewCase]) -> list[JudgedCase]:
    """Judge the cases of one repository. Those whose author decided alone are omitted."""
    accounts = AccountGroups(list_identities(cases)).accounts
    judged = (_judge_case(case, accounts) for case in cases)
    return [case for case in judged if case.truth]


def _judge_case(case: ReviewCase, accounts: Mapping[str, User]) -> JudgedCase:
    change, evidence = case.change, case.evidence
    around = RankingContext(
        pull=_create_pull(change, accounts), weights=evidence.blame.weights, now=change.at, unmapped=0
    )
    people = collect_candidates(evidence, accounts, (), {})
    ranked = rank_reviewers(people, evidence.decisions, around)
    terms = build_term_context(people, evidence.decisions, around)
    authors = {person.login.lower() for person in people if is_author_of(person, around.pull)}
    # Code owners write logins in any case; the truth is in lower case.

    def rank(logins: Iterable[str]) -> list[str]:
        return [login for login, _ in Counter(logins).most_common() if login not in authors]

    deciders = [_list_deciders(one, accounts) for one in evidence.decisions]
    owners = [name.lower() for found in evidence.owned.files.values() for name in found if "/" not in name]
    fitting = {
        one.login.lower(): one
        for one in people
        if one.login.lower() not in authors and not one.is_team and not explain_exclusion(one, around)
    }
    return JudgedCase(
        truth=_list_deciders(change, accounts) - authors,
        shares={
            login: measure_candidate(one, terms)
            for login, one in fitting.items()
            if one.owns or one.wrote or one.decided
        },
        lists={
            "stithy": [str(row.username).lower() for row in ranked.reviewers],
            "mergers": rank(login for found in [one for one in deciders if one][:RECENT] for login in sorted(found)),
            "last authors": rank(accounts[mail].login for mail in case.last_authors if mail in accounts),
            "code owners": rank(owners),
        },
    )


def _list_deciders(change: MergeDecision, accounts: Mapping[str, User]) -> frozenset[str]:
    found = {accounts[mail].login for mail in {change.merger, *change.reviewers} if mail in accounts}
    return frozenset(found - {accounts[change.author].login if change.author in accounts else ""})


def _create_pull(change: MergeDecision, accounts: Mapping[str, User]) -> PullRequest:
    return PullRequest(
        ref=PullRequestRef(REPOSITORY, 1),
        title="",
        body="",
        state="open",
        author=accounts.get(change.author, User(login="unknown author")),
        locked=False,
        created_at=change.at,
        updated_at=change.at,
        url="",
        draft=False,
        merged=False,
        head=BranchRef(branch="head"),
        base=BranchRef(branch="main"),
        archived=False,
    )


def compute_hit_rate(projects: Sequence[Sequence[JudgedCase]], name: str, most: int) -> float:
    """Return the mean of the repositories' hit rates, so that each counts the same."""
    rates = [sum(case.is_hit(name, most) for case in cases) / len(cases) for cases in projects]
    return sum(rates) / len(rates) if rates else 0.0
