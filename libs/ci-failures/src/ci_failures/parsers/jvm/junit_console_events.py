"""What JUnit's console launcher prints of each test with `--details=flat`, `verbose` and `testfeed`.

Finished:    [2] b, c ([engine:junit-jupiter]/[class:app.CartTest]/…/[test-template-invocation:#2])       flat
             => Exception: java.lang.Error: no
|  |  +-- [2] b, c                                                                                     verbose
|  |  |   uniqueId: [engine:junit-jupiter]/[class:app.CartTest]/…/[test-template-invocation:#2]
|  |  |     caught: java.lang.Error: no
|  |  |     status: [X] FAILED
JUnit Jupiter > CartTest > adds(String) > [2] b, c :: FAILED                                           testfeed
        java.lang.Error: no

None of these has the list of failures that the tree has behind it.
"""

import re
from collections.abc import Sequence
from urllib.parse import unquote

from attrs import define, field

from ci_failures.model import Line
from ci_failures.parsers.jvm.exception_trace import LIBRARIES, Frame, Trace

FINISHED = re.compile(r"Finished: {4}(.*) \((\[engine:[^()]*(?:\([^()]*\)[^()]*)*)\)$")
EXCEPTION = "             => Exception: "
BELOW_EXCEPTION = " " * 13
FED = re.compile(r"([A-Z]\w*(?: \w+)?(?: > (?! )(?:(?! > ).){1,2000}){1,20}) :: FAILED$")
TITLE = re.compile(r"[│|\s]*(?:[├└]─|\+--|'--) (.*)$")
KEY = re.compile(r"[│|][│|\s]* (uniqueId|source|caught|duration|status): (.*)$")
CAUGHT = "caught: "
FURTHER = 2
"""How much further to the right the following lines of an exception are than its first one."""
ENDED = re.compile(r"(.*) finished after \d+ ms\.$")
SEGMENT = re.compile(r"\[([a-z-]+):([^\]]*)\]")
SIGNATURE = re.compile(r"([\w$]+)\(([^()]*)\)")
SPEC, KOTEST = "spec", "Kotest"
"""What contains tests that have titles instead of methods, and the engine that has these."""
SPEC_ID = re.compile(r"\[engine:[^\]]*\]/\[spec:([^\]]*)\]")
TYPE_OF_A_CLASS = {"class", "class-template", "runner", "suite"}
PACKAGED = re.compile(r"(?:[a-z_]\w*\.)+[A-Z][\w$]*")
NESTED, METHODS = ("nested-class",), ("method", "test-template", "test-factory", "test")
ABORTED = ("org.opentest4j.TestAbortedException", "org.junit.AssumptionViolatedException")
"""Assumptions that do not hold: flat output distinguishes them by its colours only."""
ANONYMOUS = re.compile(r"(?:\$\d{1,9}){1,20}$")
LAMBDA = re.compile(r"lambda\$(\w+)\$\d+$")
MOST_TITLES, MOST_CLASSES = 12, 10_000


@define
class ConsoleBlock:
    """A failed test whose lines are being read.

    Args:
        title: The display names of what contains it, and its own.
        number: The number of its first line.
        of: Its class.
        method: Its method; empty for a class.
        types: The types of its parameters.
        words: The titles of a test that has no method, as they are printed.
        trace: Its exception.
    """

    title: str
    number: int
    of: str
    method: str = ""
    types: str = ""
    words: str = ""
    trace: Trace = field(factory=Trace)


class ConsoleEvents:
    """Reader of these lines.

    Attributes:
        found: The blocks that are complete, until they are taken.
        classes: The classes with their packages by their names without, as far as exceptions show them.
    """

    def __init__(self) -> None:
        self.found: list[ConsoleBlock] = []
        self._flat: tuple[str, str] | None = None
        self._block: ConsoleBlock | None = None
        self._indent = ""
        self._column = 0
        self._fed: list[str] = []
        self.classes: dict[str, str] = {}
        self._titles: list[str] = []
        self._id = ""

    def read(self, line: Line) -> bool:
        """Read a line, and return whether the next one may belong to it."""
        text = line.text
        if self._block and (inner := self._within(text)) is not None:
            self._block.trace.take(inner)
            return True
        flat, self._flat = self._flat, None
        if flat and text.startswith(EXCEPTION):
            self._open(line.number, *flat, text[len(EXCEPTION) :], BELOW_EXCEPTION)
            return True
        if not (self._block and text[:1] in "│|+├└" and not self._indent):
            self.close()
        if text.startswith("Finished: ") and (finished := FINISHED.match(text)):
            self._flat = finished[1], finished[2]
        elif text.endswith(" :: FAILED") and (fed := FED.match(text)):
            self._fed = fed[1].split(" > ")
            self._block, self._indent = ConsoleBlock("", line.number, ""), "\t"
        elif text[:1] in {"│", "|", "+", "├", "└"}:
            self._read_verbose(line)
        return self._block is not None or self._flat is not None

    def close(self) -> None:
        """Complete the open block."""
        block, self._block = self._block, None
        if block is None:
            return
        if self._indent == "\t":
            engine, *names = self._fed
            self._name_by_frames(block, names, titled=engine == KOTEST)
        if not block.trace.message.startswith(ABORTED) and block.of:
            self.found.append(block)

    def _within(self, text: str) -> str | None:
        """Return a line of the open exception without its indentation; None for another line.

        Of an empty line of a message, systems may have removed the indentation.
        """
        if self._indent:
            return text[len(self._indent) :] if text.startswith(self._indent) or not text else None
        return text[self._column :] if text[:1] in {"│", "|"} and not text[: self._column].strip("│| ") else None

    def _open(self, number: int, title: str, unique_id: str, message: str, indent: str = "") -> None:
        self._block, self._indent = build_block(number, title, unique_id), indent
        self._block.trace.take(message)

    def _read_verbose(self, line: Line) -> None:
        found = KEY.match(line.text)
        if found and found[1] == "uniqueId":
            self._id = found[2]
            self._learn_spec(found[2])
        elif found and found[1] == "caught":
            title = self._titles[-1] if self._titles else ""
            self._open(line.number, title, self._id, found[2])
            self._column = line.text.index(CAUGHT) + len(CAUGHT) + FURTHER
        elif found and found[1] == "status":
            self._end_verbose("" if "FAILED" in found[2] else None)
        elif titled := TITLE.match(line.text):
            ended = ENDED.match(titled[1])
            self._end_verbose(ended[1] if ended else None)
            self._titles = [*self._titles[1 - MOST_TITLES :], titled[1]]

    def _end_verbose(self, container: str | None) -> None:
        """Complete the block of a test, empty, or of a container; None if it did not fail."""
        self._id = ""
        if self._block and container is not None:
            if container and not self._block.of:
                self._name_by_frames(self._block, [container])
            self.close()
        self._block = None

    def _learn_spec(self, unique_id: str) -> None:
        """Keep the class of a spec, whose display name has no package since Kotest 6."""
        if (found := SPEC_ID.match(unique_id)) and len(self.classes) < MOST_CLASSES:
            whole = unquote(found[1])
            self.classes[whole.rpartition(".")[2]] = whole

    def _name_by_titles(self, block: ConsoleBlock, names: Sequence[str]) -> None:
        """Name a test of a spec by its titles, and by the class of the spec as far as exceptions show its package."""
        known = [one.outer for one in block.trace.frames if one.outer.rpartition(".")[2] == names[0]]
        if known and len(self.classes) < MOST_CLASSES:
            self.classes[names[0]] = known[-1]
        block.of, block.words = self.classes.get(names[0], names[0]), " > ".join(names[1:])

    def _name_by_frames(self, block: ConsoleBlock, names: Sequence[str], *, titled: bool = False) -> None:
        """Name a test by its display names, and by the classes in its exception, which alone have packages.

        Args:
            block: The block.
            names: The display names of its class, of nested classes, of its method, and of a case of that.
            titled: Whether the tests have titles instead of methods.
        """
        if len(names) > 1 and (titled or PACKAGED.fullmatch(names[0])):
            self._name_by_titles(block, names)
            return
        at = next((at for at, name in enumerate(names) if at and SIGNATURE.fullmatch(name)), len(names) - 1)
        frames = block.trace.frames
        own = [one for one in frames if one.outer.rpartition(".")[2] == names[0]]
        if own and len(self.classes) < MOST_CLASSES:
            self.classes[names[0]] = own[-1].outer
        if not own and not names[0].isidentifier():
            own = [one for one in frames if not LIBRARIES.match(one.of)]
        last = own[-1] if own else None
        block.of = self.classes.get(names[0], names[0])
        if last:
            block.of = ANONYMOUS.sub("", last.of) if at > 1 else last.outer
            inner = names[1 + block.of.count("$") : at]  # set-up of an outer class failed
            if all(map(str.isidentifier, inner)):
                block.of = "$".join([block.of, *inner])
        if found := SIGNATURE.fullmatch(names[at]):
            block.method, block.types = found[1], found[2]
            block.title = f":{found[1]}({found[2]}):{':'.join(names[at + 1 :])}" if at + 1 < len(names) else ""
        elif at:
            block.method = _method(last) if last else names[at]


def build_block(number: int, title: str, unique_id: str) -> ConsoleBlock:
    """Return the block of a test by its unique id; without a class if that has none.

    Of a test of a spec, the id has the titles of what contains it.
    """
    of = method = types = ""
    cases = 0
    segments = SEGMENT.findall(unique_id)
    if [kind for kind, _ in segments[1:2]] == [SPEC]:
        titles = [unquote(value) for kind, value in segments[2:-1] if kind == "test"]
        words = " > ".join([*titles, title]) if segments[2:] else ""
        return ConsoleBlock("", number, unquote(segments[1][1]), words=words)
    for kind, value in segments:
        if kind in TYPE_OF_A_CLASS:
            of = unquote(value)
        elif kind.startswith(NESTED) and not kind.endswith("-invocation"):
            of = f"{of}${unquote(value)}"
        elif kind in METHODS and not method and (found := SIGNATURE.match(unquote(value))):
            method, types = found[1], "" if kind == "test" else found[2]
        elif method:
            cases += 1
    return ConsoleBlock(f":{method}({simple_types(types)}):{title}" if cases else "", number, of, method, types)


def simple_types(types: str) -> str:
    """Return the types of parameters without packages and classes around them, as JUnit shows them."""
    return ", ".join(re.split(r"[.$]", one)[-1] for one in types.split(", "))


def _method(frame: Frame) -> str:
    found = LAMBDA.match(frame.method)
    return found[1] if found else frame.method
