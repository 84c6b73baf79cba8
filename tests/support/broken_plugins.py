"""Plugins that are broken, each in one way, with the expected report."""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

API = 99
TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

SOUND = """
    from attrs import frozen
    from stithy_core.spi import ToolSpec, hookimpl

    STITHY_API = 1

    @frozen
    class Nothing:
        pass

    @frozen
    class Said:
        text: str

        def render(self):
            yield self.text

    async def say(ctx, args) -> Said:
        return Said("said")

    @hookimpl
    def stithy_tools():
        return [ToolSpec(name="sound", title="Sound", description="Works.", input=Nothing, handler=say)]
"""


def make_plugin(*changes: tuple[str, str]) -> str:
    """Return the working plugin, with some of its text replaced."""
    text = SOUND
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


SETTINGS = """
    from attrs import frozen
    from stithy_core.spi import Settings, hookimpl

    STITHY_API = 1

    @frozen
    class Values:
        FIELD

    @hookimpl
    def stithy_settings():
        return [Settings(table="TABLE", cls=Values)]
"""
COMMAND = """
    from stithy_core.spi import Command, hookimpl

    STITHY_API = 1

    def run(scope, words):
        return WORK

    @hookimpl
    def stithy_commands():
        return [Command(name="NAME", help="Do it", run=run)]
"""


def make_settings(table: str, field: str) -> str:
    """Return a plugin with a table of settings that has one field."""
    return SETTINGS.replace("TABLE", table).replace("FIELD", field)


@frozen
class Broken:
    """A broken plugin, and its report: the stage, and parts of cause, remedy and offer."""

    source: str
    stage: str
    cause: str
    remedy: str
    offer: str = ""
    also: str = ""
    """A second plugin of the same source, which shares the fault."""
    options: Mapping[str, Any] = field(factory=dict)


TOOL = ('name="sound"', 'name="other"')
REPAIR = "repair the plugin"

BROKEN = {
    "import error": Broken(
        "from stithy_core.spi import NothingOfThatName", "import", "cannot import name 'NothingOfThatName'", REPAIR
    ),
    "syntax error": Broken(
        "def stithy_tools(:", "import", "SyntaxError: invalid syntax (stithy_broken.py, line 1)", REPAIR
    ),
    "missing dependency": Broken(
        "import rusty_anvil",
        "import",
        "No module named 'rusty_anvil'",
        'pip install "rusty-anvil>=2"',
        options={"requires": ["attrs", "rusty-anvil>=2", 'rusty-tongs; python_version < "3"']},
    ),
    "dependency that is not declared": Broken(
        "import rusty_anvil",
        "import",
        "No module named 'rusty_anvil'",
        "install the package that provides the module 'rusty_anvil'",
    ),
    "sys.exit at import": Broken("import sys; sys.exit(3)", "import", "SystemExit: 3", REPAIR),
    "an exception of its own at import": Broken(
        """
        class Odd(BaseException):
            def __str__(self):
                raise RuntimeError

        raise Odd
        """,
        "import",
        "Odd: (a Odd that raises RuntimeError when it is formatted)",
        REPAIR,
    ),
    "a token in what it raises": Broken(
        f"raise RuntimeError('bad credentials: ' + 'x' * 250 + '{TOKEN}')", "import", "bad credentials", REPAIR
    ),
    "no interface": Broken("X = 1", "interface", "does not declare STITHY_API", "declare STITHY_API = 1"),
    "newer interface": Broken(
        f"STITHY_API = {API}", "interface", f"written for interface {API}", "pip install --upgrade stithy-core"
    ),
    "interface as a text": Broken(
        make_plugin(("STITHY_API = 1", "STITHY_API = '0'")),
        "interface",
        "its STITHY_API is '0', which is not a number",
        "declare STITHY_API = 1",
    ),
    "interface as a truth value": Broken(
        make_plugin(("STITHY_API = 1", "STITHY_API = True")),
        "interface",
        "its STITHY_API is True, which is not a number",
        "declare STITHY_API = 1",
    ),
    "hook without its mark": Broken(
        make_plugin(("@hookimpl", "")),
        "hooks",
        "the function stithy_tools is not marked as the implementation of a hook",
        "write @hookimpl above it",
    ),
    "misspelt hook without its mark": Broken(
        make_plugin(("@hookimpl\n    def stithy_tools", "def stithy_tool")),
        "hooks",
        "the function stithy_tool is not marked as the implementation of a hook",
        "write @hookimpl above it, as stithy_tools",
    ),
    "settings of the core": Broken(
        make_settings("forges", "size: int = 1"),
        "offers",
        "the table 'forges' belongs to the core",
        "choose another name than forges, plugins, serve, http",
        "settings table forges",
    ),
    "settings without a default": Broken(
        make_settings("pond", "size: int"),
        "offers",
        "Values has no default for 'size'",
        "declare one for 'size'",
        "settings table pond",
    ),
    "settings of another class": Broken(
        make_settings("pond", "size: int = 1").replace("cls=Values", "cls=dict"),
        "offers",
        "dict is not an attrs class",
        "declare it with attrs.frozen",
        "settings table pond",
    ),
    "command of the core": Broken(
        COMMAND.replace("NAME", "doctor"),
        "offers",
        "the name belongs to a command of the core",
        "choose another name",
        "command doctor",
    ),
    "newer core": Broken(
        "raise AssertionError",
        "discovery",
        "it requires stithy_core>=9",
        'pip install --upgrade "stithy_core>=9" stithy-broken',
        options={"requires": ["stithy_core>=9"]},
    ),
    "requirement that cannot be read": Broken(
        "raise AssertionError", "discovery", "InvalidRequirement", "reinstall", options={"requires": ["stithy-core>>9"]}
    ),
    "duplicate entry point": Broken(
        make_plugin(TOOL),
        "discovery",
        "stithy-broken 1.5 and stithy-twin 1.5 share an entry-point name",
        "uninstall or disable one of them",
        also="stithy-twin",
        options={"entry_point": "same"},
    ),
    "unknown hook": Broken(
        make_plugin(("stithy_tools", "stithy_tolls")),
        "hooks",
        "unknown hook stithy_tolls",
        "did you mean stithy_tools?",
    ),
    "wrong hook arguments": Broken(
        make_plugin(("stithy_tools()", "stithy_tools(config)")),
        "hooks",
        "config",
        "declare only arguments that the hook has",
    ),
    "hook opened twice": Broken(
        """
        import sys
        from stithy_core.spi import hookimpl, hookspec

        STITHY_API = 1

        @hookspec
        def stithy_tools():
            ...

        @hookimpl
        def stithy_hookspecs():
            return [sys.modules[__name__]]
        """,
        "interface",
        "'stithy_tools' is already registered",
        "give the hook another name",
    ),
    "hook raises": Broken(
        make_plugin(("return [", "yield 1 / 0; return [")),
        "offers",
        "stithy_tools raised ZeroDivisionError",
        "repair the hook",
    ),
    "hook exits": Broken(
        make_plugin(("return [", "raise SystemExit(4); return [")),
        "offers",
        "stithy_tools raised SystemExit: 4",
        "repair the hook",
    ),
    "hook gives no list": Broken(
        make_plugin(("return [", "return None and [")),
        "offers",
        "stithy_tools returned None",
        "return a list, which may be empty",
    ),
    "hook gives the wrong type": Broken(
        make_plugin(("return [", "return ['rust'] or [")),
        "offers",
        "stithy_tools returned 'rust'",
        "the hook must return ToolSpec values",
    ),
    "hook is asynchronous": Broken(
        make_plugin(("def stithy_tools", "async def stithy_tools")),
        "offers",
        "returned a coroutine",
        "write the hook without async",
    ),
    "hook without end": Broken(
        make_plugin(("return [", "while True: yield from [")),
        "offers",
        "returned 10000 values and continues",
        "make sure that the hook ends",
    ),
    "value that cannot be shown": Broken(
        make_plugin(
            ("class Nothing:\n        pass", "class Nothing:\n        def __repr__(self):\n            raise KeyError"),
            ("return [", "return [Nothing()] or ["),
        ),
        "offers",
        "stithy_tools returned (a Nothing that raises KeyError when it is formatted)",
        "the hook must return ToolSpec values",
    ),
    "field of the wrong type": Broken(
        make_plugin(('title="Sound"', "title=5")),
        "offers",
        "returned a ToolSpec whose title is 5",
        "make it a value of str",
    ),
    "text that cannot be sent": Broken(
        make_plugin(('title="Sound"', 'title="\\ud800"')),
        "offers",
        "whose title is '\\ud800'",
        "a text that UTF-8 can encode",
    ),
    "invalid tool name": Broken(
        make_plugin(('name="sound"', 'name="no good name"')),
        "offers",
        "invalid tool name 'no good name'",
        "matches",
        "tool no good name",
    ),
    "invalid schema": Broken(
        make_plugin(TOOL, ("class Nothing:\n        pass", "class Nothing:\n        when: complex")),
        "offers",
        "when: <class 'complex'> has no JSON Schema",
        "use str, int",
        "tool other",
    ),
    "invalid duration": Broken(
        make_plugin(TOOL, ("handler=say", "handler=say, duration=[]")),
        "offers",
        "TypeError",
        "correct the declaration of the tool",
        "tool other",
    ),
    "invalid needs": Broken(
        make_plugin(TOOL, ("handler=say", "handler=say, needs=['Threads.list']")),
        "offers",
        "not an operation",
        "[Threads.list]",
        "tool other",
    ),
    "one tool twice": Broken(
        make_plugin(TOOL, ("return [", "return 2 * [")),
        "offers",
        "it has the tool other 2 times",
        "make the names unique",
        "tool other",
    ),
    "duplicate tool": Broken(
        make_plugin(TOOL),
        "offers",
        "stithy-broken 1.5 and stithy-twin 1.5 have a tool with the name other",
        '[plugins.tools] other = "stithy-broken"',
        "tool other",
        also="stithy-twin",
    ),
}
"""Broken when they are loaded: nothing of them is served, or one thing less."""

CALLS = """
    import threading
    from attrs import frozen
    from stithy_core.spi import ToolSpec, hookimpl

    STITHY_API = 1

    @frozen
    class Nothing:
        pass

    @frozen
    class Said:
        text: str

        def render(self):
            yield "rendered"

    class Odd(BaseException):
        pass

    async def wait(ctx, args) -> Said:
        import anyio
        await anyio.sleep_forever()

    held = threading.Event()

    def block(worker, args) -> Said:
        held.wait()

    async def misfit(ctx, args) -> Said:
        return Said(7)

    async def other(ctx, args) -> Said:
        return {"text": "said"}

    async def quote(ctx, args) -> Said:
        raise ValueError("bad credentials: TOKEN")

    async def leave(ctx, args) -> Said:
        raise SystemExit(5)

    async def odd(ctx, args) -> Said:
        raise Odd

    @hookimpl
    def stithy_tools():
        works = [wait, block, misfit, other, quote, leave, odd, "stithy_nowhere:work"]
        return [
            ToolSpec(
                name=getattr(work, "__name__", "lost"), title="T", description="D", input=Nothing, handler=work,
                duration="slow" if work in (wait, block) else "quick",
            )
            for work in works
        ]
""".replace("TOKEN", TOKEN)
"""Loads well, and breaks when it is called."""

CALLED = {
    "wait": "wait took longer than 0 seconds",
    "block": "block took longer than 0 seconds",
    "misfit": "misfit failed inside stithy-broken 1.0: its result.text is int, not str",
    "other": "other failed inside stithy-broken 1.0: its result is dict, not Said",
    "quote": "it raised ValueError at stithy_broken.py:38",
    "leave": "it raised SystemExit at stithy_broken.py:41",
    "odd": "it raised Odd at stithy_broken.py:44",
    "lost": "'stithy_nowhere:work' cannot be loaded: No module named 'stithy_nowhere'",
}
"""What is said of each of its tools, once it was called."""
