"""What a forge does wrong is its own plugin's fault, whichever tool asked it."""

import asyncio
from datetime import UTC, datetime

import anyio
import pytest
from attrs import evolve, frozen

from stithy_core.app.doctor import examine
from stithy_core.app.plugin_faults import find_faults
from stithy_core.errors import InternalError, NotFound
from stithy_core.spi import (
    BranchRef,
    Changes,
    Context,
    Effects,
    Forge,
    ForgeKind,
    Identity,
    Issues,
    Listing,
    PullRequest,
    PullRequestRef,
    RepositoryRef,
    Threads,
    ToolSpec,
    User,
    Version,
    map_concurrently,
    since,
)
from stithy_core.spi.call_state import DryRunStop
from stithy_testing import check_plugin, connect, make_app

pytestmark = pytest.mark.anyio

SETTINGS = '[forges.work]\nkind = "old"\nurl = "http://127.0.0.1:9"\n'
REPOSITORY = RepositoryRef(("o",), "r")
PR = PullRequestRef(REPOSITORY, 1)


class OldForge(Forge):
    async def identify(self):
        return Version("old", "1.0")


@frozen
class Nothing:
    pass


@frozen
class Said:
    text: str = "well"

    def render(self):
        yield self.text


def forge_of(*capabilities, **methods):
    return type("Forge", (OldForge,), {"capabilities": capabilities, **methods})


@pytest.fixture
def serve(tmp_path, plugin):
    """Serve one forge by stithy-old, and a tool of stithy-tools that uses it: `serve(forge, work)`."""

    def make(forge, work=None, settings=""):
        async def use(ctx: Context, args: Nothing) -> Said:
            found, _ = await ctx.repository("o/r")
            await work(found)
            return Said()

        kind = ForgeKind(name="old", title="Old", forge=forge)
        tool = ToolSpec(name="use", title="T", description="D", input=Nothing, handler=use, effects=Effects.CHANGE)
        entries = [plugin("stithy-old", stithy_forges=[kind]), plugin("stithy-tools", stithy_tools=[tool])]
        return make_app(tmp_path, SETTINGS + settings, entries=entries)

    return make


async def call_failing(app):
    """Call the tool, and return its error with the failed rows of list_plugins."""
    async with connect(app) as client:
        answer = await client.call_tool("use", {})
        listed = (await client.call_tool("list_plugins", {})).structured_content["plugins"]
    assert answer.is_error
    return answer.structured_content["error"], [row for row in listed if row["state"] == "failed"]


class WithoutArgument(Threads):
    async def reply(self, pr, thread):
        return None


class GatedWithoutArgument(Threads):
    @since("0.1")
    async def reply(self, pr, thread):
        return None


class Plain(Issues):
    def list(self, repository, *, state="open", most=100):
        return Listing()


class WrongType(Issues):
    async def list(self, repository, *, state="open", most=100):
        return ["an issue"]


class WrongItem(Issues):
    async def list(self, repository, *, state="open", most=100):
        return Listing(("an issue",))


class WrongField(Identity):
    async def me(self):
        return User(login="frog", id=7)


class Raising(Identity):
    async def me(self):
        raise KeyError("secret-of-a-stranger")


class Exiting(Identity):
    async def me(self):
        raise SystemExit(3)


class NoStream(Changes):
    async def diff(self, pr):
        return b"diff"


class TextStream(Changes):
    async def diff(self, pr):
        yield "diff"


async def read_diff(forge):
    async for _ in forge.changes.diff(PR):
        pass


WRONG = [
    (WithoutArgument, lambda forge: forge.threads.reply(PR, "1", "x"), "WithoutArgument.reply does not take 'body'"),
    (GatedWithoutArgument, lambda forge: forge.threads.reply(PR, "1", "x"), "does not take 'body'"),
    (Plain, lambda forge: forge.issues.list(REPOSITORY), "Plain.list is not async"),
    (WrongType, lambda forge: forge.issues.list(REPOSITORY), "its result is list, not Listing"),
    (WrongItem, lambda forge: forge.issues.list(REPOSITORY), "its result[0] is str, not Issue"),
    (WrongField, lambda forge: forge.identity.me(), "its result.id is int, not str"),
    (Raising, lambda forge: forge.identity.me(), "it raised KeyError at test_fault_boundary.py"),
    (Exiting, lambda forge: forge.identity.me(), "it raised SystemExit at test_fault_boundary.py"),
    (Exiting, lambda forge: map_concurrently([1, 2], lambda _: forge.identity.me()), "it raised SystemExit"),
    (NoStream, read_diff, "NoStream.diff is a coroutine, not an async generator"),
    (TextStream, read_diff, "it yielded str, not bytes"),
]


@pytest.mark.parametrize(
    ("capability", "work", "cause"), WRONG, ids=[f"{row[0].__name__}{n}" for n, row in enumerate(WRONG)]
)
async def test_a_fault_of_a_forge_is_pinned_on_the_forges_plugin(serve, capability, work, cause):
    """Its author is named, and the plugin of the tool that asked stays loaded (FIX-20)."""
    error, rows = await call_failing(serve(forge_of(capability), work))
    assert "of the forge kind 'old' failed inside stithy-old 1.0" in error
    assert cause in error
    assert "secret-of-a-stranger" not in error
    assert [(row["distribution"], row["offer"].split(",")[0]) for row in rows] == [("stithy-old", "forge kind old")]


@pytest.mark.parametrize(
    ("method", "work"),
    [
        ("identify", lambda forge: forge.version()),
        ("owners_file", lambda forge: forge.owners_file()),
        ("command", lambda forge: forge.command(Threads.resolve, PR)),
    ],
)
async def test_methods_of_the_forge_itself_are_held_to_their_results(serve, method, work):
    """A text that `identify` returns does not count as a version (FIX-20)."""

    async def wrong(self, *args, **kwargs):
        return 3

    error, rows = await call_failing(serve(forge_of(**{method: wrong}), work))
    assert f"Forge.{method} of the forge kind 'old'" in error
    assert [row["distribution"] for row in rows] == ["stithy-old"]


PULL = PullRequest(
    ref=PR,
    title="",
    body="",
    state="open",
    author=User(login="frog"),
    locked=False,
    created_at=datetime(2026, 1, 5, tzinfo=UTC),
    updated_at=datetime(2026, 1, 5, tzinfo=UTC),
    url="",
    draft=False,
    merged=False,
    head=BranchRef(branch="work", repository=REPOSITORY),
    base=BranchRef(branch="main", repository=REPOSITORY),
    archived=False,
)


async def call_head_ref(forge):
    return forge.head_ref(PULL)


async def call_push_ref(forge):
    return forge.push_ref(PULL)


async def find_ref_asynchronously(self, pull):
    return "refs/pull/1/head"


def raise_key_error(self, pull):
    raise KeyError("secret-of-a-third-party")


WRONG_REFS = [
    (lambda self, pull: "refs/pull/1 /head", "it contains a space"),
    (lambda self, pull: "refs/pull/../head", "it contains '..'"),
    (lambda self, pull: "refs/pull/1/head\n+refs/heads/x:refs/heads/y", "it contains a control character"),
    (lambda self, pull: "--upload-pack=x", "it does not begin with 'refs/'"),
    (lambda self, pull: "", "its result is not a ref that git accepts"),
    (lambda self, pull: 7, "its result is int, not str"),
    (find_ref_asynchronously, "Forge.head_ref is async"),
    (lambda self: "refs/pull/1/head", "Forge.head_ref does not take 'pull'"),
    (raise_key_error, "it raised KeyError at test_fault_boundary.py"),
]


@pytest.mark.parametrize(("method", "cause"), WRONG_REFS, ids=[cause for _, cause in WRONG_REFS])
async def test_a_head_ref_that_git_does_not_accept_is_the_forges_fault(serve, method, cause):
    error, rows = await call_failing(serve(forge_of(head_ref=method), call_head_ref))
    assert "Forge.head_ref of the forge kind 'old' failed inside stithy-old 1.0" in error
    assert cause in error
    assert "secret-of-a-third-party" not in error
    assert [row["distribution"] for row in rows] == ["stithy-old"]


async def test_a_push_ref_that_git_does_not_accept_is_the_forges_fault(serve):
    error, rows = await call_failing(serve(forge_of(push_ref=lambda self, pull: "refs/for/ma in"), call_push_ref))
    assert "Forge.push_ref of the forge kind 'old' failed inside stithy-old 1.0" in error
    assert [row["distribution"] for row in rows] == ["stithy-old"]


PUSH_REFS = [("work", "refs/heads/work"), ("refs/pull/1/head", None), ("a..b", None), ("", None)]


@pytest.mark.parametrize(("branch", "ref"), PUSH_REFS)
async def test_a_pull_request_is_pushed_to_its_branch(serve, branch, ref):
    """Without a branch that git accepts there is nothing to push to; the plugin is not blamed."""
    found = []

    async def work(forge):
        found.append(forge.push_ref(evolve(PULL, head=BranchRef(branch=branch, repository=PULL.base.repository))))

    app = serve(forge_of(), work)
    async with connect(app) as client:
        await client.call_tool("use", {})
    assert found == [ref]


def test_an_async_head_ref_is_found_without_a_call(serve):
    (failure,) = find_faults(serve(forge_of(head_ref=find_ref_asynchronously)))
    assert (failure.cause, failure.remedy) == ("Forge.head_ref is async", "write it as def head_ref(self, pull)")


@pytest.mark.parametrize("guarded", [False, True])
@pytest.mark.parametrize("ref", ["refs/merge-requests/1/head", None])
async def test_tools_get_the_head_ref_that_the_forge_returns(serve, guarded, ref):
    """Guards around the operations of a forge leave it unchanged."""
    found = []

    async def work(forge):
        found.append(forge.head_ref(PULL))

    app = serve(forge_of(head_ref=lambda self, pull: ref), work, 'repositories = ["o/r"]\n' if guarded else "")
    async with connect(app) as client:
        await client.call_tool("use", {})
    assert found == [ref]


async def test_a_forge_that_cannot_be_made_is_its_plugins_fault(serve):
    """What its class raises when it is made is not the tool's fault (FIX-20)."""

    def broken(self, link, http):
        raise KeyError("x")

    error, rows = await call_failing(serve(forge_of(__init__=broken), lambda forge: None))
    assert "failed inside stithy-old 1.0" in error
    assert [row["distribution"] for row in rows] == ["stithy-old"]


class Absent(Identity):
    async def me(self):
        raise NotFound("nobody is here")


async def test_our_own_errors_pass_as_they_are(serve):
    """An error of the forge does not count as a fault of its plugin (FIX-20)."""
    error, rows = await call_failing(serve(forge_of(Absent), lambda forge: forge.identity.me()))
    assert (error, rows) == ("nobody is here", [])


async def test_wrong_arguments_of_a_tool_stay_the_tools_fault(serve):
    """A call that does not fit the interface is not the forge's fault (FIX-20)."""
    error, rows = await call_failing(serve(forge_of(WrongType), lambda forge: forge.issues.list()))
    assert "failed inside stithy-tools 1.0" in error
    assert [row["distribution"] for row in rows] == ["stithy-tools"]


async def test_a_fault_is_forgotten_when_the_operation_works_again(serve):
    """list_plugins tells how the last call ended (FIX-20)."""
    broken = [True]

    async def me(self):
        return 3 if broken.pop() else User(login="frog")

    app = serve(forge_of(type("Changing", (Identity,), {"me": me})), lambda forge: forge.identity.me())
    await call_failing(app)
    broken.append(False)
    async with connect(app) as client:
        assert not (await client.call_tool("use", {})).is_error
        rows = (await client.call_tool("list_plugins", {})).structured_content["plugins"]
    assert {row["state"] for row in rows} == {"loaded"}


async def test_cancellation_and_the_end_of_a_dry_run_pass(serve):
    """The end of a call does not count as a fault (FIX-20)."""

    class Ending(Identity):
        async def me(self):
            raise DryRunStop

        async def access(self):
            await anyio.sleep_forever()

    forge = serve(forge_of(Ending)).forges.forge("work")
    with pytest.raises(DryRunStop):
        await forge.identity.me()
    with anyio.move_on_after(0.01) as scope:
        await forge.identity.access()
    assert scope.cancelled_caught


async def test_a_cancellation_that_nobody_asked_for_is_a_fault(serve):
    """A forge may raise CancelledError by itself, which would leave the call unanswered (FIX-20)."""

    class Cancelling(Identity):
        async def me(self):
            raise asyncio.CancelledError

    with pytest.raises(InternalError, match="it raised CancelledError"):
        await serve(forge_of(Cancelling)).forges.forge("work").identity.me()


async def test_a_stream_that_is_left_early_is_closed(serve):
    """The boundary closes what the forge opened (FIX-20)."""
    closed = []

    class Streaming(Changes):
        async def diff(self, pr):
            try:
                yield b"one"
                yield b"two"
            finally:
                closed.append(True)

    stream = serve(forge_of(Streaming)).forges.forge("work").changes.diff(PR)
    assert await anext(stream) == b"one"
    await stream.aclose()
    assert closed == [True]


UNSUITABLE = [
    (WithoutArgument, "WithoutArgument.reply does not take 'body'"),
    (GatedWithoutArgument, "GatedWithoutArgument.reply does not take 'body'"),
    (Plain, "Plain.list is not async"),
    (NoStream, "NoStream.diff is a coroutine, not an async generator"),
    (type("Misspelt", (Issues,), {"gett": WrongType.list}), "Misspelt.gett overrides nothing"),
    (type("Demanding", (Identity,), {"me": lambda self, token: None}), "Demanding.me is not async"),
]


@pytest.mark.parametrize(("capability", "cause"), UNSUITABLE, ids=[row[0].__name__ for row in UNSUITABLE])
async def test_a_signature_that_cannot_be_called_is_found_without_a_call(serve, capability, cause):
    """`stithy plugins`, `stithy doctor` and check_plugin compare overrides with their bases (FIX-20)."""
    app = serve(forge_of(capability))
    assert [failure.cause.startswith(cause) for failure in find_faults(app)] == [True]
    assert any(cause in row.text for about, row in [line async for line in examine(app)] if about == "plugin")


async def test_an_override_that_cannot_be_called_is_not_called(serve):
    """A plain function might write before the core notices that it cannot wait for it; other operations work (20.4)."""
    called = []

    class Half(Identity):
        def me(self):
            called.append("me")

        async def may_push(self, repository, login):
            return True

    forge = serve(forge_of(Half)).forges.forge("work")
    with pytest.raises(InternalError, match=r"stithy-old 1.0: Half.me is not async") as caught:
        await forge.identity.me()
    assert "Report it to the author of stithy-old 1.0: write it as async def me(self)" in caught.value.suggestion
    assert called == []
    assert await forge.identity.may_push(REPOSITORY, "frog") is True
    support = await forge.supports(Identity.me)
    assert (bool(support), support.reason) == (False, "Half.me is not async")


async def test_a_loaded_forge_is_listed_with_its_faults_and_lacking_keywords(serve):
    """list_plugins shows what the load of the class found, without a call of the operation (20.4)."""

    class Older(Issues):
        def get(self, issue):
            return None

        async def list(self, repository, *, most=100):
            return Listing()

    app = serve(forge_of(Older), lambda forge: forge.issues.list(REPOSITORY))
    async with connect(app) as client:
        assert not (await client.call_tool("use", {})).is_error
        rows = (await client.call_tool("list_plugins", {})).structured_content["plugins"]
    old = [row for row in rows if row["distribution"] == "stithy-old"]
    assert [(row["state"], row.get("stage"), row.get("cause")) for row in old] == [
        ("failed", "interface", "Older.get is not async"),
        ("loaded", None, None),
    ]
    assert old[0]["remedy"] == "write it as async def get(self, issue)"
    assert old[1]["notes"] == ["Older.list does not take 'state': unsupported where a value is passed"]


def test_check_plugin_refuses_a_forge_that_cannot_be_called(plugin):
    """Its author learns it in the plugin's own tests (FIX-20)."""
    kind = ForgeKind(name="old", title="Old", forge=forge_of(WithoutArgument))
    with pytest.raises(AssertionError, match=r"WithoutArgument\.reply does not take 'body'"):
        check_plugin(plugin("stithy-old", stithy_forges=[kind]).load())
