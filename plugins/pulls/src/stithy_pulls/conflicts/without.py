"""What the forge's API knows of conflicts, where git cannot answer."""

from stithy_core.spi import Forge, Maybe, Page, PullRequest, StithyError, Unknown
from stithy_pulls.conflicts.entries import conflict_key
from stithy_pulls.conflicts.instructions import build_instructions
from stithy_pulls.conflicts.results import MergeConflicts
from stithy_pulls.conflicts.states import get_mergeable_state

SHOWN = 20


async def answer_from_forge(
    forge: Forge, pull: PullRequest, target: str, fault: StithyError, *, wanted_others: bool
) -> MergeConflicts:
    """Answer by the API, and say what it does not know.

    Args:
        forge: The forge.
        pull: The pull request.
        target: The branch it is to be merged into.
        fault: Why git could not answer.
        wanted_others: Whether the other open pull requests were asked for.
    """
    verdict = _verdict(pull, target)
    notes = [f"Without git, which files conflict is not known: {fault.message}", *await _both(forge, pull, target)]
    if wanted_others:
        notes.append("Without git, other open pull requests were not tried.")
    unlisted = Unknown("the forge does not list conflicts", fault.suggestion)
    return MergeConflicts(
        pr=str(pull.ref),
        pull_state="merged" if pull.merged else "closed" if pull.state == "closed" else "open",
        target_branch=target,
        has_conflicts=verdict,
        found_by="forge",
        base_commit=pull.base.commit or None,
        head_commit=pull.head.commit or None,
        conflicts=Page((), key=conflict_key, partial=False, total=None),
        total_conflicts=0 if verdict is False else unlisted,
        mergeable_state=get_mergeable_state(pull, target),
        forge_state=pull.forge_state or None,
        instructions=await build_instructions(forge, pull, target) if verdict is True else None,
        against_open=None,
        notes=tuple(notes),
    )


def _verdict(pull: PullRequest, target: str) -> Maybe[bool]:
    if target != pull.base.branch:
        return Unknown(f"the forge tries the merge into {pull.base.branch} alone", "Let the server have git.")
    return pull.mergeable if isinstance(pull.mergeable, Unknown) else not pull.mergeable


async def _both(forge: Forge, pull: PullRequest, target: str) -> list[str]:
    """Name the files that both sides changed, where the API tells: only in these can there be conflicts."""
    try:
        own = {file.path for file in await forge.changes.files(pull.ref)}
        theirs = await forge.changes.compare(pull.ref.repository, pull.head.commit, target)
    except StithyError as error:
        return [f"Which files both sides changed is not known: {error.message}"]
    if isinstance(theirs.files, Unknown):
        return [f"Which files both sides changed is not known: {theirs.files.reason}"]
    both = sorted(own & {file.path for file in theirs.files})
    named = ", ".join(both[:SHOWN]) + (f" and {len(both) - SHOWN} more" if len(both) > SHOWN else "")
    return [
        f"Both sides changed: {named}" if both else "No file was changed on both sides, as far as the API lists them."
    ]
