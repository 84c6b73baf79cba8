"""The pull requests of a stack, from the forge's API."""

from collections.abc import Sequence
from contextlib import suppress

from attrs import frozen

from stithy_core.spi import (
    Context,
    Event,
    Forge,
    ForgeError,
    InvalidArguments,
    PullRequest,
    PullRequestRef,
    RepositoryRef,
    StithyError,
    map_concurrently,
)

MOST_OPEN, MOST_CLOSED = 200, 100


@frozen(kw_only=True)
class StackSurvey:
    """The pull requests that were read.

    Args:
        base: The lower pull request.
        dependent: The upper pull request. If the caller named none, the highest one that is known; the base itself if
            nothing is known to stand on it.
        others: Open pull requests of the repository, then recently closed ones.
        notes: What could not be read.
        named: Whether the caller named the upper one.
    """

    base: PullRequest
    dependent: PullRequest
    others: Sequence[PullRequest]
    notes: tuple[str, ...] = ()
    named: bool = True

    @property
    def upper(self) -> PullRequest | None:
        """The upper pull request; None if nothing stands on the base."""
        return self.dependent if self.dependent.ref != self.base.ref else None

    def list_pulls(self) -> list[PullRequest]:
        """Return each pull request once. The two were read separately, with more details than in a list."""
        known = {pull.ref.number: pull for pull in self.others}
        return list((known | {pull.ref.number: pull for pull in (self.base, self.dependent)}).values())


@frozen(kw_only=True)
class PullHistory:
    """Former heads and bases of a pull request.

    Args:
        heads: SHAs that were its head, the current one first.
        hidden: Whether it was force-pushed from heads that the forge does not name.
        bases: Former base branches.
        notes: What could not be read.
    """

    heads: tuple[str, ...]
    hidden: bool = False
    bases: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


async def survey_upstack(ctx: Context, base_pr: str) -> tuple[Forge, StackSurvey]:
    """Read a pull request, and list the others."""
    forge, ref = await ctx.pull_request(base_pr)
    base = await forge.pull_requests.get(ref)
    others, notes = await list_pull_requests(forge, base.ref.repository)
    return forge, StackSurvey(base=base, dependent=base, others=others, notes=notes, named=False)


async def survey_stack(ctx: Context, base_pr: str, dependent_pr: str) -> tuple[Forge, StackSurvey]:
    """Read both pull requests, and list the others.

    Raises:
        InvalidArguments: They are the same, or belong to different repositories.
    """
    forge, base_ref = await ctx.pull_request(base_pr)
    other, dependent_ref = await ctx.pull_request(dependent_pr)
    base, dependent = await map_concurrently(
        (base_ref, dependent_ref), lambda ref: _read_pull(forge, other, base_ref, ref)
    )
    if base.ref.repository != dependent.ref.repository or forge.config.url != other.config.url:
        text = f"{base.ref} and {dependent.ref} belong to different repositories, so they cannot be stacked"
        raise InvalidArguments(text, suggestion="Pass two pull requests of one repository.")
    if base.ref == dependent.ref:
        remedy = "Pass the lower one as base_pr and the upper one as dependent_pr."
        raise InvalidArguments(f"base_pr and dependent_pr are both {base.ref}", suggestion=remedy)
    others, notes = await list_pull_requests(forge, base.ref.repository)
    return forge, StackSurvey(base=base, dependent=dependent, others=others, notes=notes)


async def read_history(forge: Forge, pull: PullRequest) -> PullHistory:
    """Read former heads and bases: pushes from the timeline, and the commits of reviews."""
    notes: list[str] = []
    events: Sequence[Event] = ()
    reviewed: list[str] = []
    try:
        events = await forge.issues.timeline(pull.ref)
    except StithyError as error:
        notes.append(f"The former heads of {pull.ref} are unknown: {error.message}")
    with suppress(StithyError):  # optional: reviews only supplement the timeline
        reviewed = [review.commit for review in await forge.reviews.list(pull.ref)]
    pushed = [sha for event in reversed(events) for sha in _list_event_heads(event)]
    bases = [event.previous for event in events if event.kind == "base_changed" and event.previous]
    heads = dict.fromkeys(filter(None, (pull.head.commit, *pushed, *reviewed)))
    hidden = any(event.kind == "force_pushed" and not event.previous for event in events)
    return PullHistory(heads=tuple(heads), bases=tuple(dict.fromkeys(bases)), hidden=hidden, notes=tuple(notes))


def _list_event_heads(event: Event) -> tuple[str, ...]:
    if event.kind == "force_pushed":
        return (event.subject, event.previous)
    return (event.subject,) if event.kind == "pushed" else ()


async def _read_pull(forge: Forge, other: Forge, base: PullRequestRef, ref: PullRequestRef) -> PullRequest:
    return await (forge if ref == base else other).pull_requests.get(ref)


async def list_pull_requests(forge: Forge, repository: RepositoryRef) -> tuple[list[PullRequest], tuple[str, ...]]:
    """Return the open pull requests of a repository, then recently closed ones, and what could not be read."""
    rows: list[PullRequest] = []
    notes = []
    for state, most in (("open", MOST_OPEN), ("closed", MOST_CLOSED)):
        try:
            found = await forge.pull_requests.list(repository, state=state, most=most)
        except ForgeError as error:
            notes.append(f"cannot list the {state} pull requests: {error.message}")
            continue
        rows += found
        if found.cut and state == "open":
            notes.append(f"Only the newest {len(found)} open pull requests were read.")
    return rows, tuple(notes)
