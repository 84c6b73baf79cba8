"""What the forge's API tells of a stack: the two pull requests, and all others that may belong to it."""

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
    StithyError,
    map_concurrently,
)

MOST_OPEN, MOST_CLOSED = 200, 100


@frozen(kw_only=True)
class StackSurvey:
    """What was read.

    Args:
        base: The earlier pull request.
        dependent: The later one.
        others: Open ones of the repository, then those that were closed lately.
        notes: What could not be read.
    """

    base: PullRequest
    dependent: PullRequest
    others: Sequence[PullRequest]
    notes: tuple[str, ...] = ()

    def list_pulls(self) -> list[PullRequest]:
        """Give each once; the two as they were read by themselves, which tells more than a list."""
        known = {pull.ref.number: pull for pull in self.others}
        return list((known | {pull.ref.number: pull for pull in (self.base, self.dependent)}).values())


@frozen(kw_only=True)
class PullHistory:
    """What a pull request was before.

    Args:
        heads: SHAs that were its head, the present one first.
        bases: Branches that it went into before.
        hidden: Whether it was force-pushed from heads that the forge does not name.
        notes: What could not be read.
    """

    heads: tuple[str, ...]
    hidden: bool = False
    bases: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


async def survey_stack(ctx: Context, base_pr: str, dependent_pr: str) -> tuple[Forge, StackSurvey]:
    """Read both pull requests, and list the others.

    Raises:
        InvalidArguments: They are one, or of different repositories.
    """
    forge, base_ref = await ctx.pull_request(base_pr)
    other, dependent_ref = await ctx.pull_request(dependent_pr)
    base, dependent = await map_concurrently((base_ref, dependent_ref), lambda ref: _of(forge, other, base_ref, ref))
    if base.ref.repository != dependent.ref.repository or forge.config.url != other.config.url:
        text = f"{base.ref} and {dependent.ref} are of different repositories, so that neither stands on the other"
        raise InvalidArguments(text, suggestion="Give two pull requests into one repository.")
    if base.ref == dependent.ref:
        remedy = "Give the earlier one as base_pr and the later one as dependent_pr."
        raise InvalidArguments(f"base_pr and dependent_pr are both {base.ref}", suggestion=remedy)
    others, notes = await _others(forge, base)
    return forge, StackSurvey(base=base, dependent=dependent, others=others, notes=notes)


async def read_history(forge: Forge, pull: PullRequest) -> PullHistory:
    """Read what a pull request was before: its timeline has pushes, its reviews the commits they were given on."""
    notes: list[str] = []
    events: Sequence[Event] = ()
    reviewed: list[str] = []
    try:
        events = await forge.issues.timeline(pull.ref)
    except StithyError as error:
        notes.append(f"What {pull.ref} was before is not known: {error.message}")
    with suppress(StithyError):  # they only add to the timeline
        reviewed = [review.commit for review in await forge.reviews.list(pull.ref)]
    pushed = [sha for event in reversed(events) for sha in _heads_of(event)]
    bases = [event.previous for event in events if event.kind == "base_changed" and event.previous]
    heads = dict.fromkeys(filter(None, (pull.head.commit, *pushed, *reviewed)))
    hidden = any(event.kind == "force_pushed" and not event.previous for event in events)
    return PullHistory(heads=tuple(heads), bases=tuple(dict.fromkeys(bases)), hidden=hidden, notes=tuple(notes))


def _heads_of(event: Event) -> tuple[str, ...]:
    if event.kind == "force_pushed":
        return (event.subject, event.previous)
    return (event.subject,) if event.kind == "pushed" else ()


async def _of(forge: Forge, other: Forge, base: PullRequestRef, ref: PullRequestRef) -> PullRequest:
    return await (forge if ref == base else other).pull_requests.get(ref)


async def _others(forge: Forge, base: PullRequest) -> tuple[list[PullRequest], tuple[str, ...]]:
    rows: list[PullRequest] = []
    notes = []
    for state, most in (("open", MOST_OPEN), ("closed", MOST_CLOSED)):
        try:
            found = await forge.pull_requests.list(base.ref.repository, state=state, most=most)
        except ForgeError as error:
            notes.append(f"The {state} pull requests could not be listed: {error.message}")
            continue
        rows += found
        if found.cut and state == "open":
            notes.append(f"Only the newest {len(found)} open pull requests were looked at.")
    return rows, tuple(notes)
