"""Which operations a forge has: said on the method, asked lazily, and asked once."""

from inspect import signature

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_core.errors import Refused, Unavailable, Unsupported
from stithy_core.forges.forge_inspection import find_forge_faults
from stithy_core.http import ForgeHttp
from stithy_core.spi import (
    Capability,
    Forge,
    ForgeConfig,
    Issues,
    Rules,
    Threads,
    Version,
    declared_support,
    operations,
    probed,
    since,
)
from stithy_core.spi.capabilities import CAPABILITIES, owner_of

pytestmark = pytest.mark.anyio

LINK = ForgeConfig(alias="work", kind="pond", url="https://pond.example")


async def has_rules(capability):
    capability.forge.probes += 1
    await anyio.lowlevel.checkpoint()
    return capability.forge.answer


class PondThreads(Threads):
    """What every test below asks about."""

    async def list(self, pr):
        return [pr]

    @since("2.1", instead="reply that it is fixed")
    async def resolve(self, pr, thread):
        """Mark as resolved."""
        return f"{thread} resolved"


class PondRules(Rules):
    @probed(has_rules, instead="ask an owner")
    async def get(self, repository, branch):
        return branch


class Logs(Capability):
    """A capability whose operation gives items as they come."""

    attribute = "logs"

    async def lines(self):
        raise self.lacks("lines")
        yield


class PondLogs(Logs):
    @since("2.1")
    async def lines(self):
        for line in "abc":
            yield line


class Pond(Forge):
    capabilities = (PondThreads, PondRules)
    text = "2.1"
    answer = True

    def __init__(self):
        super().__init__(LINK, ForgeHttp(LINK))
        self.asked = self.probes = 0

    async def identify(self):
        self.asked += 1
        await anyio.lowlevel.checkpoint()
        return Version("pond", self.text)


class OldPond(Pond):
    text = "2.0.9"
    answer = False


def version_gate(text, *needed, **flavours):
    """Make a forge of a version whose one operation is gated."""

    class Gated(Threads):
        @since(*needed, **flavours)
        async def list(self, pr):
            return []

    return type("Gate", (Pond,), {"capabilities": (Gated,), "text": text})()


# What is missing


async def test_an_ability_that_a_forge_does_not_bring_says_unsupported():
    with pytest.raises(
        Unsupported, match=r"work \(pond at https://pond.example\) does not support issues.get"
    ) as caught:
        await Pond().issues.get(None)
    assert caught.value.details == {"forge": "work", "kind": "pond", "operation": "issues.get"}


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.__qualname__)
async def test_every_operation_of_the_nine_has_a_default_that_says_unsupported(operation):
    capability = owner_of(operation)
    given = [
        parameter for parameter in signature(operation).parameters.values() if parameter.default is parameter.empty
    ]
    with pytest.raises(Unsupported, match=f"{capability.attribute}.{operation.__name__}"):
        await operation(capability(Pond()), *range(len(given) - 1))


def test_the_operations_of_all_nine_are_listed():
    assert {owner_of(operation) for operation in operations()} == set(CAPABILITIES)


async def test_a_forge_has_each_capability_under_its_name():
    forge = Pond()
    assert {getattr(forge, capability.attribute).__class__ for capability in CAPABILITIES} >= {
        PondThreads,
        PondRules,
        Issues,
    }
    assert forge.threads.forge is forge


# since


async def test_a_new_server_has_what_came_with_its_version():
    assert await Pond().threads.resolve(None, "7") == "7 resolved"


async def test_an_old_server_does_not_and_says_what_to_do_instead():
    with pytest.raises(Unsupported) as caught:
        await OldPond().threads.resolve(None, "7")
    assert "pond 2.0.9 does not have it (since 2.1)" in caught.value.message
    assert caught.value.suggestion == "reply that it is fixed"
    assert caught.value.details["operation"] == "threads.resolve"


async def test_a_method_without_gate_asks_no_server():
    forge = Pond()
    await forge.threads.list(None)
    assert forge.asked == 0


@pytest.mark.parametrize(
    ("text", "needed", "has"),
    [
        ("2.1", "2.1", True),
        ("2.1.0", "2.1", True),
        ("2.1", "2.1.0", True),
        ("2.10", "2.9", True),
        ("2.9", "2.10", False),
        ("v2.1", "2.1", True),
        ("2.1.0+dev-12-gabc", "2.1", True),
        ("2.1.0-rc1", "2.1", True),
        ("3", "2.1", True),
        ("2", "2.1", False),
        ("development", "2.1", False),
        ("", "0.1", False),
    ],
)
async def test_versions_are_compared_by_their_numbers(text, needed, has):
    assert bool(await version_gate(text, needed).supports(Threads.list)) is has


@pytest.mark.parametrize(
    ("needed", "flavours", "has"),
    [
        ((), {"pond": "2.1"}, True),
        ((), {"pond": "2.2"}, False),
        ((), {"lake": "1.0"}, False),
        (("9",), {"pond": "2.0"}, True),
        (("1",), {"pond": "9"}, False),
        (("1",), {"lake": "9"}, True),
        ((), {}, False),
    ],
)
async def test_a_flavour_has_its_own_version(needed, flavours, has):
    assert bool(await version_gate("2.1", *needed, **flavours).supports(Threads.list)) is has


@pytest.mark.parametrize(
    ("text", "number"),
    [("1.27.0+dev-12", (1, 27, 0)), ("v13", (13,)), ("1.2.x", (1, 2)), ("dev", ()), ("1.²", (1,)), ("1..2", (1,))],
)
def test_a_version_has_the_numbers_at_the_front_of_its_text(text, number):
    assert Version("pond", text).number == number


@given(st.text(st.characters() | st.sampled_from("0123456789.v-+²٣"), max_size=20))
def test_any_text_is_a_version(text):
    version = Version("pond", text)
    assert all(isinstance(number, int) for number in version.number)
    assert str(version) == f"pond {text}"


# probed


async def test_a_server_that_is_probed_has_what_it_says_it_has():
    assert await Pond().rules.get(None, "main") == "main"


async def test_a_server_that_denies_it_does_not():
    with pytest.raises(Unsupported, match=r"pond 2.0.9 does not have it \(asked the server\)") as caught:
        await OldPond().rules.get(None, "main")
    assert caught.value.suggestion == "ask an owner"


async def test_a_probe_is_asked_once():
    forge = Pond()
    for _ in range(3):
        await forge.rules.get(None, "main")
    assert forge.probes == 1


async def test_a_probe_that_failed_is_asked_again():
    class Shaky(Pond):
        @property
        def answer(self):
            if self.probes == 1:
                raise Unavailable("down")
            return True

    forge = Shaky()
    with pytest.raises(Unavailable):
        await forge.rules.get(None, "main")
    assert await forge.rules.get(None, "main") == "main"


# Asking once, also at once


ASKING = [lambda forge: forge.threads.resolve(None, "7"), lambda forge: forge.supports(Threads.resolve)]


@pytest.mark.parametrize("call", ASKING)
async def test_five_calls_at_once_ask_the_version_once(call):
    forge, answers = Pond(), []

    async def ask():
        answers.append(await call(forge))

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(ask)
    assert (forge.asked, len(answers)) == (1, 5)


async def test_five_calls_at_once_probe_once():
    forge = Pond()
    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(forge.rules.get, None, "main")
    assert forge.probes == 1


async def test_a_version_that_could_not_be_read_is_asked_again():
    class Down(Pond):
        async def identify(self):
            if self.asked == 0:
                self.asked += 1
                raise Unavailable("down")
            return await super().identify()

    forge = Down()
    with pytest.raises(Unavailable):
        await forge.version()
    assert str(await forge.version()) == "pond 2.1"


async def test_a_call_that_is_cancelled_while_it_asks_leaves_the_question_to_the_next():
    forge, begun = Pond(), anyio.Event()

    async def stuck():
        begun.set()
        await anyio.sleep_forever()

    async def answer():
        return 1

    async with anyio.create_task_group() as group:
        group.start_soon(forge.once, "key", stuck)
        await begun.wait()
        group.cancel_scope.cancel()
    assert await forge.once("key", answer) == 1


# supports and declared


async def test_support_reads_as_a_condition():
    assert await Pond().supports(Threads.resolve)
    assert not await OldPond().supports(Threads.resolve)


async def test_missing_support_says_why_and_what_instead():
    support = await OldPond().supports(Threads.resolve)
    assert support.reason == "pond 2.0.9 does not have it (since 2.1)"
    assert support.remedy == "reply that it is fixed"


async def test_an_operation_without_an_override_is_unsupported_without_a_request():
    forge = Pond()
    support = await forge.supports(Threads.reply)
    assert not support
    assert "does not support threads.reply" in support.reason
    assert forge.asked == 0


async def test_an_operation_without_a_condition_is_supported_without_a_request():
    forge = Pond()
    assert await forge.supports(Threads.list)
    assert forge.asked == 0


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (Threads.list, "always"),
        (Threads.resolve, "since 2.1"),
        (Rules.get, "probed"),
        (Threads.reply, "never"),
        (Issues.get, "never"),
    ],
)
def test_a_forge_declares_what_it_has_without_a_server(operation, said):
    assert declared_support(Pond, operation) == said


def test_a_declaration_names_every_flavour():
    forge = version_gate("1", gitea="1.27", forgejo="13.0.0")
    assert declared_support(type(forge), Threads.list) == "since gitea 1.27, forgejo 13.0.0"


@pytest.mark.parametrize("operation", [PondThreads.resolve, Threads.lacks, str.upper])
async def test_only_operations_of_capabilities_can_be_asked_for(operation):
    with pytest.raises(TypeError, match="not an operation of a capability"):
        declared_support(Pond, operation)


# Async generators


class LoggingPond(Pond):
    def __init__(self):
        super().__init__()
        self.logs = PondLogs(self)


async def test_a_gated_generator_gives_its_items():
    assert [line async for line in LoggingPond().logs.lines()] == ["a", "b", "c"]


async def test_a_gated_generator_is_refused_at_its_first_item():
    class Old(LoggingPond):
        text = "1.0"

    with pytest.raises(Unsupported, match=r"logs.lines: pond 1.0 does not have it"):
        _ = [line async for line in Old().logs.lines()]


# Subclasses


@pytest.mark.parametrize("gate", [since("2.1"), probed(has_rules)])
def test_a_gated_method_that_is_no_operation_is_a_fault_of_the_forge(gate):
    misspelt = type("Misspelt", (Threads,), {"resolv": gate(PondThreads.list)})
    *_, fault = find_forge_faults(type("Wrong", (Pond,), {"capabilities": (misspelt,)}))
    assert fault.cause == "Misspelt.resolv has a condition (since or probed) and is not an operation"
    assert fault.remedy == "name it as one of list, get, reply, resolve, unresolve, or remove the condition"


async def test_an_override_in_a_grandchild_without_since_stands_ungated():
    class Newer(PondThreads):
        async def resolve(self, pr, thread):
            return "ungated"

    forge = type("NewPond", (OldPond,), {"capabilities": (Newer,)})()
    assert await forge.threads.resolve(None, "7") == "ungated"
    assert await forge.supports(Threads.resolve)
    assert (declared_support(type(forge), Threads.resolve), forge.asked) == ("always", 0)


async def test_an_override_in_a_grandchild_may_have_a_gate_of_its_own():
    class Later(PondThreads):
        @since("3.0")
        async def resolve(self, pr, thread):
            return await super().resolve(pr, thread)

    forge = type("NewPond", (Pond,), {"capabilities": (Later,)})()
    with pytest.raises(Unsupported, match=r"since 3\.0"):
        await forge.threads.resolve(None, "7")


async def test_a_grandchild_that_overrides_nothing_keeps_the_gate():
    forge = type("OtherPond", (OldPond,), {"capabilities": (type("Same", (PondThreads,), {}),)})()
    with pytest.raises(Unsupported, match=r"since 2\.1"):
        await forge.threads.resolve(None, "7")


def test_a_gated_method_keeps_its_name_and_documentation():
    assert PondThreads.resolve.__name__ == "resolve"
    assert PondThreads.resolve.__doc__ == "Mark as resolved."


# Writing


def test_a_forge_that_may_be_written_to_admits_a_write():
    LINK.admit_write()


def test_a_forge_that_is_read_only_refuses_a_write():
    with pytest.raises(Refused, match="work is read-only here") as caught:
        ForgeConfig(alias="work", kind="pond", url="", read_only=True).admit_write()
    assert "[forges.work]" in caught.value.suggestion
