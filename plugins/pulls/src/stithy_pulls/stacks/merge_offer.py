"""Whether merging is offered instead of a rebase: rules of branches may refuse a force push, or dismiss approvals."""

from stithy_core.spi import BranchRules, Forge, Maybe, PullRequest, RepositoryRef, map_concurrently, or_unknown
from stithy_pulls.stacks.stack_case import RestackAdvice
from stithy_pulls.stacks.stack_links import get_own_branch

MOST_READ = 5
"""Branches whose rules are read; each takes a request or two."""

COSTS = (
    "merge=true merges the new base into each branch instead. It costs a merge commit for each, and commits of merged"
    " pull requests stay in the lists of commits; a rebase costs a force push, and comments on replaced commits become"
    " outdated."
)


async def list_offers(forge: Forge, advice: RestackAdvice | None) -> tuple[str, ...]:
    """Return why merging may be better than this rebase, and what each costs; empty if nothing speaks for it."""
    if advice is None or advice.merges:
        return ()
    repository = advice.moves[0].pull.ref.repository
    pulls = [move.pull for move in advice.moves if get_own_branch(move.pull)][:MOST_READ]
    branches = dict.fromkeys((advice.target.branch, *(pull.head.branch for pull in pulls)))
    found = await map_concurrently(list(filter(None, branches)), lambda name: _read_rules(forge, repository, name))
    rules = dict(found)
    reasons = [_describe_protection(pull) for pull in pulls if _get_rules(rules, pull).protected is True]
    base = rules.get(advice.target.branch)
    if isinstance(base, BranchRules) and base.dismisses_stale is True:
        reasons.append(f"The rules of {advice.target.branch} dismiss approvals that a push makes stale.")
    return (*reasons, COSTS) if reasons else ()


def _get_rules(rules: dict[str, Maybe[BranchRules]], pull: PullRequest) -> BranchRules:
    found = rules[pull.head.branch]
    return found if isinstance(found, BranchRules) else BranchRules()


def _describe_protection(pull: PullRequest) -> str:
    return f"The branch {pull.head.branch} of {pull.ref} is protected: it may refuse a force push."


async def _read_rules(forge: Forge, repository: RepositoryRef, branch: str) -> tuple[str, Maybe[BranchRules]]:
    return branch, await or_unknown(forge.rules.get(repository, branch))
