"""Plugins that load well and cannot work, each for one reason, with the expected findings of `stithy plugins check`."""

from broken_plugins import TOOL, Broken, make_plugin

HANDLER = "async def say(ctx, args) -> Said:"
RENDER = """
        def render(self):
            yield self.text
"""


def make_tool(*changes: tuple[str, str]) -> str:
    """Return the working plugin with another name of its tool, and some of its text replaced."""
    return make_plugin(TOOL, *changes)


def make_handler(definition: str) -> str:
    """Return the working plugin with another definition of its handler."""
    imports = ("import ToolSpec, hookimpl", "import Context, SyncContext, ToolSpec, hookimpl")
    return make_tool((HANDLER, definition), imports)


FORGE = """
from stithy_core.spi import (
    Capability, Changes, Checks, Credentials, Forge, ForgeKind, Identity, Issues, Listing, Threads, Version, hookimpl,
    since,
)

STITHY_API = 1

class PondIssues(Issues):
    pass

class PondCredentials(Credentials):
    pass

{classes}

class Pond(Forge):
    capabilities = {capabilities}
    {identify}
    {member}

@hookimpl
def stithy_forges():
    return [ForgeKind(name="pond", title="Pond", {kind})]
"""
IDENTIFY = 'async def identify(self): return Version("pond", "1.0")'


def make_forge(
    classes: str = "",
    *,
    capabilities: str = "(PondIssues,)",
    identify: str = IDENTIFY,
    member: str = "",
    kind: str = "forge=Pond",
) -> str:
    """Return a plugin with a forge that works, except for what is passed."""
    return FORGE.format(classes=classes, capabilities=capabilities, identify=identify, member=member, kind=kind)


def make_capability(base: str, method: str) -> str:
    """Return a plugin with a forge whose one capability has this method."""
    return make_forge(f"class PondPart({base}):\n    {method}", capabilities="(PondPart,)")


OFFER = """
from attrs import frozen
from stithy_core.spi import (
    CallWrapper, CallWrapperSpec, Check, Command, ForgeGuard, ForgeGuardSpec, PromptProvider, Prompts, ResourceProvider,
    Resources, Response, Route, Service, Settings, StoreKind, hookimpl,
)

STITHY_API = 1

{code}

@hookimpl
def {hook}():
    return [{offer}]
"""


def make_offer(hook: str, offer: str, code: str) -> str:
    """Return a plugin with one offer."""
    return OFFER.format(hook=hook, offer=offer, code=code)


def make_class(hook: str, offer: str, base: str, method: str) -> str:
    """Return a plugin whose offer refers to the class `Part`, with one method."""
    return make_offer(hook, offer, f"class Part({base}):\n    {method}")


POND = "forge kind pond"
OTHER = "tool other"

HANDLERS = {
    "handler with one argument": (
        make_handler("async def say(args) -> Said:"),
        "its handler takes (args), and is called with (ctx, args)",
        "declare it with (ctx, args)",
    ),
    "handler with three arguments": (
        make_handler("async def say(ctx, args, more) -> Said:"),
        "its handler takes (ctx, args, more), and is called with (ctx, args)",
        "declare it with (ctx, args)",
    ),
    "handler with swapped arguments": (
        make_handler("async def say(args: Nothing, ctx: Context) -> Said:"),
        "its handler has its arguments in the wrong order",
        "declare it with (ctx: Context, args: Nothing)",
    ),
    "plain handler with a Context": (
        make_handler("def say(ctx: Context, args: Nothing) -> Said:"),
        "its handler is a plain function and takes a Context",
        "annotate SyncContext, or write it as async def",
    ),
    "async handler with a SyncContext": (
        make_handler("async def say(ctx: SyncContext, args: Nothing) -> Said:"),
        "its handler is async and takes a SyncContext",
        "annotate Context, or write it without async",
    ),
    "handler of other arguments": (
        make_handler("async def say(ctx: Context, args: Said) -> Said:"),
        "its handler takes Said, and the tool's input is Nothing",
        "declare it with (ctx: Context, args: Nothing)",
    ),
    "handler that is a generator": (
        make_handler("def other(ctx, args) -> Said:\n        yield 1\n\n    say = other\n\n    async def unused():"),
        "its handler is a generator",
        "return the result, and yield nothing",
    ),
    "handler without a return annotation": (
        make_handler("async def say(ctx, args):"),
        "the handler of other has no return annotation",
        "annotate it",
    ),
    "handler whose annotations cannot be read": (
        make_handler('async def say(ctx, args) -> "Sayd":'),
        "the annotations of other's handler cannot be read: name 'Sayd' is not defined",
        "import their types where the handler is",
    ),
    "handler that returns a text": (
        make_handler("async def say(ctx, args) -> str:"),
        "str",
        "attrs",
    ),
    "result without render": (
        make_tool((RENDER, "")),
        "its handler returns Said, which has no method render",
        "add def render(self) -> Iterator[str]",
    ),
    "result with a field of the server": (
        make_tool(("text: str", "text: str\n        unknown: str = ''")),
        "Said.unknown: the server adds a field of this name to every result",
        "rename the field",
    ),
    "handler of another type": (
        make_tool(("handler=say", "handler=5")),
        "its handler is a int, not a function",
        "name a function",
    ),
    "reference to a missing module": (
        make_tool(("handler=say", 'handler="stithy_nowhere:say"')),
        "'stithy_nowhere:say' cannot be loaded: No module named 'stithy_nowhere'",
        "correct the reference",
    ),
    "preparation that asks for arguments": (
        make_tool(("handler=say", "handler=say, prepare=say")),
        "its prepare takes (ctx, args), and is called with ()",
        "declare it with ()",
    ),
    "preparation in a missing module": (
        make_tool(("handler=say", 'handler=say, prepare="stithy_nowhere:warm"')),
        "'stithy_nowhere:warm' cannot be loaded: No module named 'stithy_nowhere'",
        "correct the reference",
    ),
    "reference to a missing function": (
        make_tool(("handler=say", 'handler="stithy_broken:sayy"')),
        "'stithy_broken:sayy' cannot be loaded: module 'stithy_broken' has no attribute 'sayy'",
        "correct the reference",
    ),
    "reference without a function": (
        make_tool(("handler=say", 'handler="stithy_broken.say"')),
        "invalid reference 'stithy_broken.say'",
        'write it as "package.module:name"',
    ),
}
FORGES = {
    "forge that is a function": (
        make_forge(kind="forge=lambda: Pond"),
        "the kind's forge is a function, not a class of Forge",
        "derive it from Forge",
    ),
    "forge that is another class": (
        make_forge(kind="forge=PondIssues"),
        "the kind's forge is a PondIssues, not a class of Forge",
        "derive it from Forge",
    ),
    "forge in a missing module": (
        make_forge(kind='forge="stithy_nowhere:Pond"'),
        "'stithy_nowhere:Pond' cannot be loaded: No module named 'stithy_nowhere'",
        "correct the reference",
    ),
    "forge without identify": (
        make_forge(identify="pass"),
        "Pond has no method 'identify'",
        "write identify as",
    ),
    "identify that is annotated with a text": (
        make_forge(identify='async def identify(self) -> str: return "1.0"'),
        "Pond.identify is annotated to return str, not Version",
        "return a Version",
    ),
    "head_ref that is annotated with a number": (
        make_forge(member="def head_ref(self, pull) -> int: return pull.number"),
        "Pond.head_ref is annotated to return int, not str | None",
        "return a str | None",
    ),
    "operation without an argument": (
        make_capability("Threads", "async def reply(self, pr, thread): ..."),
        "PondPart.reply does not take 'body'",
        "write it as async def reply(self, pr, thread, body, *, unless_since=None)",
    ),
    "operation with one argument more": (
        make_capability("Identity", "async def me(self, token): ..."),
        "PondPart.me requires 'token', which callers do not pass or may leave out",
        "declare a default for 'token'",
    ),
    "operation with swapped arguments": (
        make_capability("Checks", "async def jobs(self, run, repository): ..."),
        "PondPart.jobs takes 'repository', 'run' at another place",
        "write it as async def jobs(self, repository, run)",
    ),
    "operation that is not async": (
        make_capability("Issues", "def get(self, issue): ..."),
        "PondPart.get is not async",
        "write it as async def get(self, issue)",
    ),
    "operation that yields": (
        make_capability("Issues", "async def get(self, issue): yield issue"),
        "PondPart.get is an async generator",
        "return the result, and yield nothing",
    ),
    "stream that is a coroutine": (
        make_capability("Changes", 'async def diff(self, pr): return b""'),
        "PondPart.diff is a coroutine, not an async generator",
        "yield the chunks of bytes",
    ),
    "operation that is a static method": (
        make_capability("Identity", "me = staticmethod(lambda: None)"),
        "PondPart.me is a staticmethod, not a method",
        "write it as async def me(self)",
    ),
    "operation that returns a list": (
        make_capability("Issues", "async def list(self, repository, *, state='open', most=100) -> list: ..."),
        "PondPart.list is annotated to return list, not Listing",
        "return a Listing",
    ),
    "misspelt operation": (
        make_capability("Issues", "async def gett(self, issue): ..."),
        "PondPart.gett overrides nothing: Issues has no method 'gett'",
        "did you mean get? Write it as async def get(self, issue)",
    ),
    "operation by its name in interface 0": (
        make_capability("Issues", "async def of(self, repository, *, state='open', most=100): ..."),
        "PondPart.of overrides nothing: Issues has no method 'of'",
        "did you mean list? Write it as async def list(self, repository, *, state='open', most=100)",
    ),
    "misspelt attribute of the forge": (
        make_forge(member="abilities = (PondIssues,)", capabilities="()"),
        "Pond.abilities sets nothing: Forge has no attribute 'abilities'",
        "did you mean capabilities?",
    ),
    "condition on no operation": (
        make_capability("Threads", '@since("2")\n    async def close(self, pr): ...'),
        "PondPart.close has a condition (since or probed) and is not an operation",
        "name it as one of list, get, reply, resolve, unresolve, or remove the condition",
    ),
    "capability with a constructor of its own": (
        make_capability("Issues", "def __init__(self): ..."),
        "PondPart.__init__ does not take 'forge'",
        "write it as def __init__(self, forge)",
    ),
    "command that is not async": (
        make_forge(member='def command(self, operation, subject, *, thread=None, body=""): ...'),
        "Pond.command is not async",
        "write it as async def command(",
    ),
    "misspelt method of the forge": (
        make_forge(member="async def owner_file(self): ..."),
        "Pond.owner_file overrides nothing: Forge has no method 'owner_file'",
        "did you mean owners_file?",
    ),
    "head_ref that is async": (
        make_forge(member="async def head_ref(self, pull): ..."),
        "Pond.head_ref is async",
        "write it as def head_ref(self, pull)",
    ),
    "capabilities without a tuple": (
        make_forge(capabilities="PondIssues"),
        "Pond.capabilities is a type",
        "write it as a tuple of classes",
    ),
    "capabilities with something else": (
        make_forge("class Wiki(Capability):\n    attribute = 'wiki'", capabilities="(PondIssues, Wiki)"),
        "Pond.capabilities has Wiki, which is not a capability",
        "derive it from Issues, ",
    ),
    "two classes for one capability": (
        make_forge("class Others(Issues):\n    pass", capabilities="(PondIssues, Others)"),
        "Pond.capabilities has PondIssues and Others for Issues",
        "merge them into one class",
    ),
    "dialect that is a text": (
        make_forge(member="dialect = 'pond'"),
        "Pond.dialect is a str",
        "write dialect = Dialect(…)",
    ),
    "credentials that are not async": (
        make_forge("class Own(Credentials):\n    def find(self): ...", kind="forge=Pond, credentials=Own"),
        "Own.find is not async",
        "write it as async def find(self)",
    ),
    "credentials that take no key": (
        make_forge("class Own(Credentials):\n    async def exchange(self): ...", kind="forge=Pond, credentials=Own"),
        "Own.exchange does not take 'key'",
        "write it as async def exchange(self, key)",
    ),
    "credentials of another class": (
        make_forge(kind="forge=Pond, credentials=PondIssues"),
        "PondIssues is not a class of Credentials",
        "derive it from Credentials",
    ),
    "address without an argument": (
        make_forge(kind='forge=Pond, address=lambda: "https://pond.example"'),
        "its address takes (), and is called with (str)",
        "declare it with (str)",
    ),
}

RESOURCES = ("stithy_resources", 'Resources(prefix="pond://", provider=Part)')
WRAPPER = ("stithy_call_wrappers", 'CallWrapperSpec(name="audit", wrapper=Part)')
GUARD = ("stithy_guards", 'ForgeGuardSpec(name="approval", guard=Part)')

OFFERS = {
    "provider that is not async": (
        make_class(*RESOURCES, "ResourceProvider", "def list(self): ..."),
        "Part.list is not async",
        "write it as async def list(self)",
        "resources pond://",
    ),
    "provider that reads nothing": (
        make_class(*RESOURCES, "ResourceProvider", "async def read(self): ..."),
        "Part.read does not take 'uri'",
        "write it as async def read(self, uri)",
        "resources pond://",
    ),
    "provider of another class": (
        make_class(*RESOURCES, "object", "async def list(self): ..."),
        "Part is not a class of ResourceProvider",
        "derive it from ResourceProvider",
        "resources pond://",
    ),
    "provider in a missing module": (
        make_offer("stithy_prompts", 'Prompts(provider="stithy_nowhere:Part")', ""),
        "'stithy_nowhere:Part' cannot be loaded: No module named 'stithy_nowhere'",
        "correct the reference",
        "prompts",
    ),
    "prompts without arguments": (
        make_class("stithy_prompts", "Prompts(provider=Part)", "PromptProvider", "async def get(self, name): ..."),
        "Part.get does not take 'arguments'",
        "write it as async def get(self, name, arguments)",
        "prompts",
    ),
    "call wrapper without an argument": (
        make_class(*WRAPPER, "CallWrapper", "def after(self, call, answer): ..."),
        "Part.after does not take 'error'",
        "write it as def after(self, call, answer, error)",
        "call wrapper audit",
    ),
    "call wrapper that is async": (
        make_class(*WRAPPER, "CallWrapper", "async def before(self, call): ..."),
        "Part.before is async",
        "write it as def before(self, call)",
        "call wrapper audit",
    ),
    "misspelt method of a call wrapper": (
        make_class(*WRAPPER, "CallWrapper", "def befor(self, call): ..."),
        "Part.befor overrides nothing: CallWrapper has no method 'befor'",
        "did you mean before?",
        "call wrapper audit",
    ),
    "choice of tools without an argument": (
        make_offer(WRAPPER[0], 'CallWrapperSpec(name="audit", wrapper=CallWrapper, applies=lambda: True)', ""),
        "its applies takes (), and is called with (WrappedTool)",
        "declare it with (WrappedTool)",
        "call wrapper audit",
    ),
    "call wrapper with an invalid schema of an argument": (
        make_offer(
            WRAPPER[0], 'CallWrapperSpec(name="audit", wrapper=CallWrapper, arguments={"ticket": {"type": "x"}})', ""
        ),
        "its schema of 'ticket' is not valid: ",
        "correct the schema of 'ticket'",
        "call wrapper audit",
    ),
    "call wrapper with an invalid schema of a note": (
        make_class(*WRAPPER, "CallWrapper", "def note_schemas(self, tool): return {'n': {'minimum': 'x'}}"),
        "its schema of 'n' is not valid: minimum: 'x' is not of type 'number'",
        "correct the schema of 'n'",
        "call wrapper audit",
    ),
    "guard that is not async": (
        make_class(*GUARD, "ForgeGuard", "def after(self, operation, arguments, answer): ..."),
        "Part.after is not async",
        "write it as async def after(self, operation, arguments, answer)",
        "guard approval",
    ),
    "guard without an argument": (
        make_class(*GUARD, "ForgeGuard", "def before(self, operation): ..."),
        "Part.before does not take 'arguments'",
        "write it as def before(self, operation, arguments)",
        "guard approval",
    ),
    "service that is not async": (
        make_offer("stithy_services", 'Service(name="sweep", run=run)', "def run(scope): ..."),
        "its run is not async",
        "write it as async def",
        "service sweep",
    ),
    "service without a scope": (
        make_offer("stithy_services", 'Service(name="sweep", run=run)', "async def run(): ..."),
        "its run takes (), and is called with (Scope)",
        "declare it with (Scope)",
        "service sweep",
    ),
    "check that yields": (
        make_offer("stithy_checks", 'Check(name="depth", run=run)', "async def run(scope): yield 1"),
        "its run is a generator",
        "return the result, and yield nothing",
        "check depth",
    ),
    "command without words": (
        make_offer("stithy_commands", 'Command(name="dive", help="", run=run)', "def run(scope): ..."),
        "its run takes (scope), and is called with (Scope, Sequence)",
        "declare it with (Scope, Sequence)",
        "command dive",
    ),
    "route that is not async": (
        make_offer("stithy_routes", 'Route(method="GET", path="/a", handler=get)', "def get(ctx, request): ..."),
        "its handler is not async",
        "write it as async def",
        "route /a",
    ),
    "route without a request": (
        make_offer("stithy_routes", 'Route(method="GET", path="/a", handler=get)', "async def get(request): ..."),
        "its handler takes (request), and is called with (Context, Request)",
        "declare it with (Context, Request)",
        "route /a",
    ),
    "store without a local one": (
        make_offer("stithy_stores", 'StoreKind(scheme="pond", open=start)', "def start(url): ..."),
        "its open takes (url), and is called with (str, Store)",
        "declare it with (str, Store)",
        "store scheme pond",
    ),
}

UNSUITABLE = {
    **{name: Broken(source, "call", cause, remedy, OTHER) for name, (source, cause, remedy) in HANDLERS.items()},
    **{name: Broken(source, "interface", cause, remedy, POND) for name, (source, cause, remedy) in FORGES.items()},
    **{
        name: Broken(source, "interface", cause, remedy, offer)
        for name, (source, cause, remedy, offer) in OFFERS.items()
    },
}
"""Loaded, and found by `stithy plugins check`, `stithy plugins`, `stithy doctor` and the checks of the testing kit."""
