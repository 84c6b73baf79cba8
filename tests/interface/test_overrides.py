"""Overrides of operations are compared with their bases, and work although they lack keywords."""

import functools
import inspect
from datetime import UTC, datetime
from itertools import combinations

import pytest

from stithy_core.errors import Unsupported
from stithy_core.forges.forge_inspection import describe_lacking_keywords, find_forge_faults
from stithy_core.forges.guarded_forge import guard_forge
from stithy_core.http import ForgeHttp
from stithy_core.spi import (
    CAPABILITIES,
    Capability,
    Changes,
    Checks,
    Comments,
    Forge,
    ForgeConfig,
    ForgeGuard,
    Identity,
    Issues,
    Listing,
    PullRequestRef,
    RepositoryRef,
    Threads,
    Version,
    operations,
)
from stithy_core.spi.overrides import OMISSIBLE, adapt_override, compare_class, inspect_override

pytestmark = pytest.mark.anyio

CONFIG = ForgeConfig(alias="work", kind="pond", url="https://pond.example")
REPOSITORY = RepositoryRef("o", "r")
PR = PullRequestRef(REPOSITORY, 1)
NOW = datetime(2026, 11, 1, tzinfo=UTC)


class PondForge(Forge):
    async def identify(self):
        return Version("pond", "1.0")


def create_forge(*capabilities, **members):
    cls = type("Pond", (PondForge,), {"capabilities": capabilities, **members})
    return cls(CONFIG, ForgeHttp(CONFIG))


def list_faults(*capabilities, **members):
    """Return the faults of a forge's classes as `cause; remedy`."""
    cls = type("Pond", (PondForge,), {"capabilities": capabilities, **members})
    return [f"{fault.cause}; {fault.remedy}" for fault in find_forge_faults(cls)]


def define(base, name, method):
    """Define the capability `Pond` with one method."""
    return type("Pond", (base,), {name: method})


# What cannot be called


async def without_body(self, pr, thread): ...
async def demanding(self, token): ...
async def demanding_keyword(self, repository, *, state, most=100): ...
async def swap_arguments(self, commit, repository): ...
async def selfless(): ...
async def in_generator(self):
    yield "frog"


def plain(self): ...
def plain_generator(self):
    yield "frog"


async def diff_as_coroutine(self, pr): ...
def diff_as_plain_generator(self, pr):
    yield b""


@functools.wraps(plain)
def wrapped_plain(*args, **kwargs): ...


UNCALLABLE = [
    (Threads, "reply", without_body, "does not take 'body'; write it as async def reply(self, pr, thread, body, *,"),
    (Identity, "me", demanding, "requires 'token', which callers do not pass"),
    (Identity, "me", demanding, "; declare a default for 'token'"),
    (Issues, "list", demanding_keyword, "requires 'state', which callers do not pass or may leave out"),
    (
        Checks,
        "list",
        swap_arguments,
        "takes 'repository', 'commit' at another place; write it as async def list(self, repo",
    ),
    (Identity, "me", selfless, "does not take self"),
    (Identity, "me", in_generator, "is an async generator; return the result, and yield nothing"),
    (Identity, "me", plain, "is not async; write it as async def me(self)"),
    (Identity, "me", wrapped_plain, "is not async"),
    (Identity, "me", plain_generator, "is a plain generator; write it as async def me(self)"),
    (Identity, "me", staticmethod(in_generator), "is a staticmethod, not a method"),
    (Identity, "me", classmethod(demanding), "is a classmethod, not a method"),
    (Identity, "me", property(plain), "is a property, not a method"),
    (Identity, "me", None, "is a NoneType, not a method"),
    (Identity, "me", Version, "is a type, not a method"),
    (Changes, "diff", diff_as_coroutine, "is a coroutine, not an async generator; yield the chunks of bytes"),
    (Changes, "diff", diff_as_plain_generator, "is a plain generator; write it as def diff(self, pr)"),
]


@pytest.mark.parametrize(("base", "name", "method", "expected"), UNCALLABLE)
def test_an_override_that_cannot_be_called_is_a_fault_with_class_operation_cause_and_remedy(
    base, name, method, expected
):
    (found,) = list_faults(define(base, name, method))
    assert found.startswith(f"Pond.{name} ")
    assert expected in found


@pytest.mark.parametrize(
    ("name", "near"), [("gett", "get"), ("lists", "list"), ("time_line", "timeline"), ("timelines", "timeline")]
)
def test_a_misspelt_operation_is_a_fault_that_names_the_operation(name, near):
    (found,) = list_faults(define(Issues, name, without_body))
    assert found.startswith(f"Pond.{name} overrides nothing: Issues has no method '{name}'; did you mean {near}?")


def test_a_helper_that_resembles_an_operation_of_the_class_is_none():
    class Both(Issues):
        async def list(self, repository, *, state="open", most=100): ...
        async def lists(self): ...
        async def _gett(self): ...
        async def describe(self): ...

    assert list_faults(Both) == []


def test_methods_of_the_forge_itself_are_compared_too():
    def command(self, operation): ...
    def owner_file(self): ...
    def now(self, zone): ...

    found = list_faults(command=command, owner_file=owner_file, now=now)
    assert [text.split(";")[0] for text in found] == [
        "Pond.now requires 'zone', which callers do not pass or may leave out",
        "Pond.command is not async",
        "Pond.owner_file overrides nothing: Forge has no method 'owner_file'",
    ]


def test_a_method_that_must_not_be_async_is_a_fault():
    async def now(self): ...

    assert list_faults(now=now) == ["Pond.now is async; write it as def now(self)"]


def test_a_constructor_that_the_core_cannot_call_is_a_fault():
    def construct(self, config): ...

    assert "Pond.__init__ does not take 'http'" in list_faults(__init__=construct)[0]
    assert "Pond.__init__ does not take 'forge'" in list_faults(define(Issues, "__init__", plain))[0]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"capabilities": Issues}, "Pond.capabilities is a type; write it as a tuple"),
        ({"capabilities": ["issues"]}, "Pond.capabilities has str, which is not a capability; derive it from Issues, "),
        ({"capabilities": [Capability]}, "Pond.capabilities has Capability, which is not a capability"),
        ({"dialect": "gitlab"}, "Pond.dialect is a str; write dialect = Dialect(…)"),
        (
            {"capabilities": [type("A", (Issues,), {}), type("B", (Issues,), {})]},
            "Pond.capabilities has A and B for Issues; merge them into one class",
        ),
    ],
)
def test_a_declaration_that_cannot_work_is_a_fault(members, expected):
    (found,) = [
        f"{fault.cause}; {fault.remedy}" for fault in find_forge_faults(type("Pond", (PondForge,), dict(members)))
    ]
    assert expected in found


def test_a_forge_without_identify_and_a_kind_without_a_forge_are_faults():
    (fault,) = find_forge_faults(type("Pond", (Forge,), {}))
    assert fault.cause == "Pond has no method 'identify'"
    (fault,) = find_forge_faults(lambda: PondForge)
    assert (fault.cause, fault.remedy) == (
        "the kind's forge is a function, not a class of Forge",
        "derive it from Forge",
    )


# What can be called


class OfMixin:
    async def get(self, issue):
        return issue

    def list(self, repository): ...


def test_methods_of_a_mixin_are_compared_like_those_of_the_class():
    assert list_faults(type("Pond", (OfMixin, Issues), {})) == [
        "Pond.list is not async; write it as async def list(self, repository, *, state='open', most=100)"
    ]


def delegate(function):
    def call(*args, **kwargs):
        return function(*args, **kwargs)

    return call


@pytest.mark.parametrize(
    "method",
    [
        delegate(demanding),
        functools.wraps(demanding)(delegate(demanding)),
        lambda self, *args, **kwargs: demanding(self, 1),
    ],
)
def test_a_decorated_or_generic_override_that_may_be_async_is_not_judged_by_its_kind(method):
    assert not [text for text in list_faults(define(Identity, "me", method)) if "async" in text]


async def test_positional_arguments_may_have_other_names_and_still_be_passed_by_name():
    class Pond(Checks):
        async def list(self, repo, sha):
            return repo, sha

    forge = create_forge(Pond)
    assert list_faults(Pond) == []
    assert await forge.checks.list(repository=REPOSITORY, commit="abc") == (REPOSITORY, "abc")
    assert await forge.checks.list(REPOSITORY, commit="abc") == (REPOSITORY, "abc")


class OldComments(Comments):
    async def list(self, subject):
        return Listing((subject,))


class OldThreads(Threads):
    async def reply(self, pr, thread, body):
        return body


class OldChanges(Changes):
    def diff(self, pull):
        return self._read(pull)

    async def _read(self, pull):
        yield str(pull).encode()


async def test_a_keyword_that_may_be_omitted_is_left_out_of_the_call():
    assert list(await create_forge(OldComments).comments.list(PR, since=NOW)) == [PR]
    assert list_faults(OldComments) == []
    assert list(describe_lacking_keywords(type(create_forge(OldComments)))) == [
        "OldComments.list does not take 'since': left out of calls"
    ]


async def test_a_keyword_that_decides_something_makes_the_operation_unsupported_for_it():
    forge = create_forge(OldThreads)
    assert await forge.threads.reply(PR, "1", "thanks") == "thanks"
    with pytest.raises(
        Unsupported, match=r"work \(pond at https://pond.example\) does not support Threads.reply with unless_since"
    ) as caught:
        await forge.threads.reply(PR, "1", "thanks", unless_since=NOW)
    assert caught.value.details == {"forge": "work", "kind": "pond", "operation": "Threads.reply"}
    assert list_faults(OldThreads) == []


async def test_the_default_of_a_lacking_keyword_is_never_passed_on():
    assert await create_forge(OldThreads).threads.reply(PR, "1", "thanks", unless_since=None) == "thanks"


async def test_a_command_that_lacks_a_keyword_of_later_cores_works_without_it():
    async def command(self, operation, subject, *, thread=None):
        return "run"

    forge = create_forge(command=command)
    assert await forge.command(Comments.create, PR, body="") == "run"
    with pytest.raises(Unsupported, match=r"Forge.command with body"):
        await forge.command(Comments.create, PR, body="text")


async def test_guards_see_all_arguments_and_a_keyword_reaches_the_override_by_its_name():
    seen = []

    class Noting(ForgeGuard):
        def before(self, operation, arguments):
            seen.append(dict(arguments.arguments))

    forge = create_forge(OldThreads, OldChanges)
    guarded = guard_forge(forge, [Noting(forge)], close_http=False)
    assert await guarded.threads.reply(pr=PR, thread="1", body="thanks", unless_since=None) == "thanks"
    assert seen == [{"pr": PR, "thread": "1", "body": "thanks", "unless_since": None}]
    with pytest.raises(Unsupported, match="unless_since"):
        await guarded.threads.reply(PR, "1", "thanks", unless_since=NOW)
    assert [chunk async for chunk in guarded.changes.diff(pr=PR)] == [b"o/r#1"]


async def test_a_subclass_may_pass_keywords_to_the_override_that_lacks_them():
    class Newer(OldThreads):
        async def reply(self, pr, thread, body, *, unless_since=None):
            return await super().reply(pr, thread, body, unless_since=None) + "!"

    assert await create_forge(Newer).threads.reply(PR, "1", "thanks", unless_since=NOW) == "thanks!"
    assert list(describe_lacking_keywords(type(create_forge(Newer)))) == []


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.__qualname__)
def test_every_optional_argument_of_an_operation_is_keyword_only_with_a_default(operation):
    """Only such an argument can be added without breaking overrides (20.4)."""
    for parameter in inspect.signature(operation).parameters.values():
        assert (parameter.default is parameter.empty) == (parameter.kind is parameter.POSITIONAL_OR_KEYWORD)
    assert getattr(operation, OMISSIBLE, frozenset()) <= set(inspect.signature(operation).parameters)


def define_override(places, keywords):
    """Return an async method with just these arguments, which returns their values by name."""
    star = ["*"] if keywords else []
    arguments = ", ".join(["self", *places, *star, *(f"{name}=..." for name in keywords)])
    scope = {}
    exec(f"async def method({arguments}): return dict(locals())", scope)
    return scope["method"]


@pytest.mark.parametrize("base", [one for one in operations() if inspect.iscoroutinefunction(one)])
async def test_an_override_with_any_part_of_the_keywords_is_called_with_just_these(base):
    parameters = list(inspect.signature(base).parameters.values())
    places = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD][1:]
    defaults = {one.name: one.default for one in parameters if one.kind is one.KEYWORD_ONLY}
    for count in range(len(defaults) + 1):
        for taken in combinations(defaults, count):
            method = define_override(places, taken)
            override = inspect_override(object, base.__name__, method, base)
            values = await adapt_override(method, override)(None, *places, **defaults)
            assert override.fault is None
            assert values == {"self": None} | {name: name for name in places} | {name: defaults[name] for name in taken}


def test_the_classes_that_are_no_forge_are_compared_on_request():
    class Strict(ForgeGuard):
        def after(self, operation, arguments, answer): ...
        def befor(self, operation, arguments): ...

    assert [fault.cause for fault in compare_class(Strict, ForgeGuard)] == [
        "Strict.after is not async",
        "Strict.befor overrides nothing: ForgeGuard has no method 'befor'",
    ]


def test_the_capabilities_of_the_core_have_no_faults():
    for base in CAPABILITIES:
        assert list_faults(base) == []
