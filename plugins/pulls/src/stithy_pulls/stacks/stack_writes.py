"""The tools that change a pull request of a stack on the forge: its base branch, or its head by a merge of the base."""

from collections.abc import Iterator
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Context, Forge, Meta, Moved, PullRequest, Rejected, Unknown, or_unknown
from stithy_pulls.tools import RetargetPullRequest, UpdatePullRequestBranch


@frozen(kw_only=True)
class RetargetedPullRequest:
    """A pull request whose base branch was changed.

    Args:
        pr: The pull request.
        base: Its base branch now.
        former_base: Its base branch before.
        unchanged: True if it had this base already, and nothing was sent; omitted otherwise.
    """

    pr: str
    base: Annotated[str, Meta(cut=False)]
    former_base: Annotated[str, Meta(cut=False)]
    unchanged: bool | None = None

    def render(self) -> Iterator[str]:
        """Yield what was done."""
        done = "already was" if self.unchanged else f"was {self.former_base}, and is"
        yield f"{self.pr}: its base {done} {self.base}"


@frozen(kw_only=True)
class UpdatedBranch:
    """A pull request whose branch the forge updates.

    Args:
        pr: The pull request.
        state: updated; accepted if the forge merges in the background and has not moved the head yet; unchanged if it
            had the whole base already, and nothing was sent.
        head: Its head now.
        former_head: Its head before.
    """

    pr: str
    state: Literal["updated", "accepted", "unchanged"]
    head: str
    former_head: str

    def render(self) -> Iterator[str]:
        """Yield what was done."""
        done = {
            "updated": f"its base was merged into it, as {self.head[:12]}; its head was {self.former_head[:12]}",
            "accepted": f"the forge merges its base into it in the background; its head is still {self.head[:12]}",
            "unchanged": f"it has all commits of its base; its head is {self.head[:12]}",
        }
        yield f"{self.pr}: {done[self.state]}"


async def retarget_pull_request(ctx: Context, args: RetargetPullRequest) -> RetargetedPullRequest:
    """Change the base branch of an open pull request."""
    forge, pull = await read_for_write(ctx, args.pr)
    former = pull.base.branch
    if former == args.branch:
        return RetargetedPullRequest(pr=str(pull.ref), base=former, former_base=former, unchanged=True)
    changed = await forge.pull_requests.retarget(pull.ref, args.branch)
    return RetargetedPullRequest(pr=str(pull.ref), base=changed.base.branch, former_base=former)


async def update_pull_request_branch(ctx: Context, args: UpdatePullRequestBranch) -> UpdatedBranch:
    """Have the forge merge the base branch into the head branch, unless that has it all."""
    forge, pull = await read_for_write(ctx, args.pr)
    head = pull.head.commit
    compared = await or_unknown(forge.changes.compare(pull.ref.repository, pull.base.branch, head))
    # servers refuse an update without anything to merge by an error that does not tell why
    if not isinstance(compared, Unknown) and compared.behind == 0:
        return UpdatedBranch(pr=str(pull.ref), state="unchanged", head=head, former_head=head)
    changed = await forge.pull_requests.update_branch(pull.ref, head)
    state: Literal["updated", "accepted"] = "accepted" if changed.head.commit == head else "updated"
    return UpdatedBranch(pr=str(pull.ref), state=state, head=changed.head.commit, former_head=head)


async def read_for_write(ctx: Context, name: str) -> tuple[Forge, PullRequest]:
    """Return an open pull request that is about to be changed.

    Raises:
        Moved: Its repository has another name now (docs/adr/0005).
        Rejected: It is not open.
    """
    forge, ref = await ctx.pull_request(name)
    pull = await forge.pull_requests.get(ref)
    if str(pull.ref).lower() != str(ref).lower():
        raise Moved(f"{ref} is called {pull.ref} now; nothing was written", suggestion=f"Call again with {pull.ref}.")
    if pull.state != "open":
        state = "merged" if pull.merged else "closed"
        raise Rejected(f"{pull.ref} is {state}; nothing was written", suggestion="Pass an open pull request.")
    return forge, pull
