"""Stages of the conformance suite for forges of other shapes than GitHub's, each made of a sandbox."""

import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import attrs
from attrs import evolve
from sandbox_stage import sandbox_stage

from stithy_core.spi import (
    BranchRules,
    Comment,
    CommitCheck,
    ForgeNames,
    IssueRef,
    Listing,
    PullRequest,
    PullRequestRef,
    Thread,
    Verdict,
    operations,
)
from stithy_core.spi.capabilities import owner_of
from stithy_sandbox.capabilities.code_capabilities import SandboxChanges, SandboxChecks
from stithy_sandbox.capabilities.conversation_capabilities import (
    SandboxComments,
    SandboxIssues,
    SandboxPullRequests,
    SandboxThreads,
)
from stithy_sandbox.sandbox_forge import Sandbox
from stithy_sandbox.world import World
from stithy_testing.conformance import Stage

ISSUES, PULLS = {1: 1, 2: 5}, {1: 2, 2: 3, 3: 4}
"""The sandbox's numbers of the issues and pull requests of a forge that numbers them apart."""
COMPOSED = ("PullRequests.readiness", "PullRequests.conversation", "Comments.block", "Checks.of_pull_request")
"""What the sandbox reads by other operations of the forge, which translate the numbers."""
ABSENT = 900
"""What is added to the number of nothing, so that the sandbox has nothing of that number either."""


class MergeRequestNames(ForgeNames):
    """Issues and merge requests are numbered apart."""

    pull_request = "merge request"
    mark = "!"


def create_stage_with_numbers_apart() -> Stage:
    """Prepare a forge that has an issue 1 and a merge request 1."""
    base = sandbox_stage()
    forge = base.forge
    forge.config = evolve(forge.config, names=MergeRequestNames())
    forge.names = forge.config.names
    for operation in operations():
        capability = getattr(forge, owner_of(operation).attribute)
        if operation.__qualname__ not in COMPOSED:
            method = getattr(capability, operation.__name__)
            setattr(capability, operation.__name__, _translate_method(method))
    return Stage(
        forge=forge,
        author=base.author,
        repository=base.repository,
        former=base.former,
        archived=base.archived,
        run=base.run,
    )


def _translate_method(method: Callable[..., Any]) -> Callable[..., Any]:
    def translate(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        return [_replace_refs(one, _to_sandbox) for one in args], {
            name: _replace_refs(one, _to_sandbox) for name, one in kwargs.items()
        }

    async def call(*args: Any, **kwargs: Any) -> Any:
        places, names = translate(args, kwargs)
        return _replace_refs(await method(*places, **names), _from_sandbox)

    async def stream(*args: Any, **kwargs: Any) -> AsyncIterator[bytes]:
        places, names = translate(args, kwargs)
        async for piece in method(*places, **names):
            yield piece

    return stream if inspect.isasyncgenfunction(inspect.unwrap(method)) else call


def _to_sandbox(ref: IssueRef) -> IssueRef:
    numbers = PULLS if isinstance(ref, PullRequestRef) else ISSUES
    return evolve(ref, number=numbers.get(ref.number, ref.number if ref.number > ABSENT else ref.number + ABSENT))


def _from_sandbox(ref: IssueRef) -> IssueRef:
    if isinstance(ref, PullRequestRef):
        number = next(number for number, at in PULLS.items() if at == ref.number)
        return PullRequestRef(ref.repository, number, mark="!")
    return evolve(ref, number=next(number for number, at in ISSUES.items() if at == ref.number))


def _replace_refs(value: Any, change: Callable[[IssueRef], IssueRef]) -> Any:
    if isinstance(value, IssueRef):
        return change(value)
    if isinstance(value, Listing):
        return value.map(lambda one: _replace_refs(one, change))
    if isinstance(value, tuple):
        return tuple(_replace_refs(one, change) for one in value)
    if attrs.has(type(value)):
        fields = {one.name: getattr(value, one.name) for one in attrs.fields(type(value)) if one.init}
        return evolve(value, **{name: _replace_refs(one, change) for name, one in fields.items()})
    return value


def _get_world(stage: Stage) -> World:
    assert isinstance(stage.forge, Sandbox)
    return stage.forge.world


def create_stage_without_issues() -> Stage:
    """Prepare a forge that has pull requests only."""
    capabilities = tuple(one for one in Sandbox.capabilities if not issubclass(one, SandboxIssues))
    base = sandbox_stage(type("WithoutIssues", (Sandbox,), {"capabilities": capabilities}))
    world = _get_world(base)
    world.add_branch(base.repository, "talk")
    world.add_commit(base.repository, "talk", "Add talk.txt", {"talk.txt": "talk\n"})
    talk = world.add_pull_request(base.repository, "Talk", branch="talk")
    first, *_ = [world.add_comment(talk, body) for body in ("first", "second", "third")]
    world.react(talk, first.id, "heart")
    return evolve(base, issue=None, closed=None, conversation=talk)


def create_stage_with_single_comments() -> Stage:
    """Prepare a forge without reviews and drafts, on which every check must pass, by whatever name."""
    base = sandbox_stage()
    world = _get_world(base)
    rules = BranchRules(required_approvals=1, required_checks=(), all_checks=True)
    world.set_rules(base.repository, "main", rules)
    pull = world.pull(base.pr)
    pull.reviews.clear()
    for name, thread in pull.threads.items():
        comments = tuple(evolve(comment, review="") for comment in thread.comments)
        pull.threads[name] = evolve(thread, comments=comments)
    draft = world.pull(base.draft)
    draft.subject = evolve(draft.subject, draft=False)
    return evolve(base, grouped_reviews=False, drafts=False)


class Changes(SandboxPullRequests):
    """Has no branches of pull requests: all are into `main`."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Return a pull request without the name of its branch."""
        return _hide_branch(await super().get(pr))

    async def list(self, *args: Any, base: str = "", head: str = "", **kwargs: Any) -> Listing[PullRequest]:
        """Return the pull requests into `main`."""
        found = await super().list(*args, **kwargs)
        return found.map(_hide_branch) if base in ("", "main") and not head else Listing()


class SingleCommits(SandboxChanges):
    """Has one commit in each pull request."""

    async def commits(self, pr: PullRequestRef) -> Listing[Any]:
        """Return the last commit."""
        return Listing(tuple(await super().commits(pr))[-1:])


class Votes(SandboxChecks):
    """Has one check."""

    async def list(self, *args: Any, **kwargs: Any) -> Listing[CommitCheck]:
        """Return the check, by the name of the vote."""
        found = await super().list(*args, **kwargs)
        return Listing(tuple(evolve(one, name="Verified") for one in found if one.name == "test"))


class SpokenResolutions(SandboxThreads):
    """Resolves a thread by a reply."""

    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Reply, and mark the thread as resolved."""
        if self.world.thread(pr, thread).resolved is not True:
            self.world.add_reply(pr, self.world.thread(pr, thread).id, "Done")
        return await super().resolve(pr, thread)


class StrippedComments(SandboxComments):
    """Removes white space at the ends of comments."""

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Add a comment."""
        return await super().create(subject, body.strip())


class RenamesInTwo(SandboxChanges):
    """Has a renamed file in its diff as a deleted and an added one."""

    async def diff(self, pr: PullRequestRef) -> AsyncIterator[bytes]:
        """Iterate over the diff, with a further section for each renamed file."""
        async for piece in super().diff(pr):
            yield piece + b"diff --git a/x b/x\n" * piece.count(b"rename from")


def create_stage_with_posts() -> Stage:
    """Prepare a forge that stores general comments and resolutions as posts, as Gerrit does."""
    capabilities = (SpokenResolutions, StrippedComments, RenamesInTwo, *Sandbox.capabilities)
    base = sandbox_stage(type("Posts", (Sandbox,), {"capabilities": capabilities}))
    return evolve(base, silent_resolution=False, keeps_white_space=False)


def _hide_branch(pull: PullRequest) -> PullRequest:
    return evolve(pull, head=evolve(pull.head, branch=""), base=evolve(pull.base, branch="main"))


def create_stage_without_branches() -> Stage:
    """Prepare a forge whose pull requests are single commits without a branch."""
    capabilities = (Changes, SingleCommits, Votes, *Sandbox.capabilities)
    base = sandbox_stage(type("WithoutBranches", (Sandbox,), {"capabilities": capabilities}))
    rules = _get_world(base).repository(base.repository).rules["main"]
    _get_world(base).set_rules(base.repository, "main", evolve(rules, required_checks=("Verified",)))
    return evolve(base, head_branches=False, commits=("Change texts",), checks={"Verified": Verdict.FAILED})


SHAPES: Mapping[str, Callable[[], Stage]] = {
    "numbers apart": create_stage_with_numbers_apart,
    "without issues": create_stage_without_issues,
    "single comments": create_stage_with_single_comments,
    "without branches": create_stage_without_branches,
    "posts": create_stage_with_posts,
}
