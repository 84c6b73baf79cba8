# ruff: noqa: RUF001 -- the signs are those that a wrong encoding makes
"""Learn what a system puts before the lines of a log: stamps, names, columns and indentation, in any order.

[2026-03-04T05:06:07.123Z] FAILED tests/test_a.py::test_a              Jenkins
2026-03-04T05:06:07.123456Z 01O FAILED tests/test_a.py::test_a         GitLab
[05:06:07] :	 [Step 2/3] FAILED tests/test_a.py::test_a               TeamCity
Step #2 - "unit": FAILED tests/test_a.py::test_a                       Cloud Build
web-7d4b unit FAILED tests/test_a.py::test_a                           stern
unit	Run tests	2026-03-04T05:06:07.1234567Z FAILED tests/test_a.py…  gh run view --log

No system is known by name. A prefix is a chain of parts, found from left to right in a sample of lines: what most lines
begin with if their numbers are left out. Many tools begin most of their lines with the same words, too. Therefore a
part counts if it is a stamp, if some lines consist of it alone, as tools print empty lines, or if parsers read more
behind it.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import islice, pairwise
from typing import Literal, NamedTuple, TypeAlias

from ci_failures.document_starts import DOCUMENT, LONGEST_PREFIX
from ci_failures.logs.streams import Streams, join_lines

SAMPLE = 64 * 1024
"""Bytes at the beginning of a log from which its prefix is learned before any line is read."""
MOST_LINES = 300
"""Lines of a sample that are compared."""
SHORT = 3
"""Lines of a log that show too little by what they share."""
FEW_LINES = 20
"""Lines that are compared first: most logs have no prefix."""
BLOCKS = 5
MOST_PARTS = 14
MOST_LABELS = 24
"""Different beginnings, without their numbers, that one part may have."""
MOST_WINDOWS = 64
"""Parts of a log, one after the other, from which a prefix may be learned."""
NEARLY_ALL, HALF, THIRD = 0.9, 0.5, 0.3
"""Shares of the lines: that a certain part has, that a part has which is tried, and that stamps have."""
STRAY = 2
"""Lines of a short log that may lack the prefix."""

_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? "
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_DATE = (
    rf"(?:\d{{1,4}}[-/.](?:\d{{1,2}}|{_MONTH})[-/.]\d{{1,4}}|(?:{_DAY})?(?:\d{{1,2}} {_MONTH} \d{{4}}"
    rf"|{_MONTH} {{1,2}}\d{{1,2}}(?:,? \d{{4}})?))"
)
_ZONE = r" ?(?:Z|UTC|GMT|[ap]m|[AP]M|[ECMP][SD]T|CES?T|BST|IST|JST|[+-]\d\d:?\d\d)(?![\w:])"
_CLOCK = r"\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?"
STAMP = (
    rf"(?:ï»¿|´╗┐|∩╗┐|锘\?)?[\[(<]?(?:{_DATE}[T _:-]{{1,2}}|\d\d-\d\d\|)?{_CLOCK}(?:{_ZONE}){{0,2}}(?: \d{{4}}(?!\S))?"
    r"[\])>]?(?![^\s:,|A-Z-])(?:(?<=\]): (?:▸ )?)?"
)
"""A time with or without a date; also behind a byte order mark, and one that PowerShell read in a wrong encoding.

fastlane has a colon behind its own, and a sign before what xcodebuild printed.
"""
BRACKETS = r"\[[^\]\n]{1,80}\]:?|\([^)\n]{1,80}\):?|<[^>\n]{1,80}>:?"
PIPE = r"(?:\[[^\]\n]{1,80}\]|(?!\[|[^\s|]{1,60}:\d+\])[^\s|]{1,60})[ \t]*\|"
"""A name before a bar; klog's `main.go:12]` before a line that begins with a bar is none."""
TAB = r"(?![^\t\n]{0,200}\d:\d\d:\d\d)(?:[^\t\n]{1,200}(?<![\s:\]|>])|[ \w]:)\t"
"""A column; neither behind another prefix, nor before the indentation of a trace behind one."""
WORD = r" *\d\S{0,79}|[^\s\[]\S{0,79}"
KNOWN = re.compile(
    r"(?:\d\d[OE][+ ]"  # GitLab: the number and the kind of a stream
    r"|[A-Za-z ]?:\t[ \t]*\[[^\]\n]{1,80}\] "  # TeamCity, behind its stamp: a level, and the name of the step
    r"|std(?:out|err) [FP] "  # containerd, behind its stamp
    r"|[\w.-]{1,64} [\w./@-]{1,64}\[\d{1,7}\]: "  # journald, behind its stamp: a machine, and a process
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d{1,7} [\w.-]{1,80}:\d{1,6}\] "  # klog
    r"|Step #\d{1,4}(?: - \"[^\"\n]{1,80}\")?: "  # Cloud Build
    r"|[a-z][a-z\d.-]{0,80}-(?=[a-z-]{0,14}\d)[a-z\d]{8,10}-[a-z\d]{5} [a-z][a-z\d-]{0,62} "  # stern: pod, container
    r"|[a-z][a-z\d-]{0,80}-(?=[a-z]{0,4}\d)[a-z\d]{5}(?:-\d{5,12})?: "  # Argo: a pod
    rf"|[^\n]{{1,{LONGEST_PREFIX}}}?(?<!\S)(?={DOCUMENT}))"  # anything before a result file in one line
)
"""Prefixes that no tool prints: they are removed from lines of which there are too few to learn a prefix from."""
OF_GITHUB = r"(?:[^\t\n]{1,200}\t)?(?:[^\d\s]{1,6})?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z "
"""What follows the names of a job and of a step, each in a column: these may be words that are levels elsewhere."""
_FORMS = {re.compile(TAB): "\t", re.compile(PIPE): "|", re.compile(BRACKETS): "", re.compile(WORD): ""}
"""The forms of words, and a sign without which a line is not even tried."""
_STAMP = re.compile(STAMP)
_OF_GITHUB = re.compile(OF_GITHUB)
_DOCUMENT = re.compile(DOCUMENT)
_SPACE = re.compile(r"[ \t]*")
_NUMBER = re.compile(r"(?<! ) *+\d+")
LEVEL = r"(?i:info|error|warn(?:ing)?|debug|trace|fatal|notice|success|err|critical|severe|config|fine)"
_LEVEL = re.compile(rf"\W*{LEVEL}\W*")
_OWN = re.compile(rf"\W*{LEVEL}\W*$|0:$|.*(?:[/\\]|\.\w+:? ?0:|\(0,? ?0?\):)")
"""Words that only tools print: levels, and the paths and places in which something is wrong."""
_NAME = re.compile(r"(?!.*\bstd(?:out|err)\b)(?!.*\t$).*[A-Za-z]{2}")
"""Beginnings that distinguish runs: neither the two outputs of one process, nor columns, which follow each other."""


class Part(NamedTuple):
    """One part of a prefix.

    Args:
        pattern: What it matches.
        group: Whether its text is the name of a run; "numbered" if numbers in it are not part of the name.
        common: Whether nearly all lines have it, and it is not a word with which tools begin lines.
        alone: Whether some lines have nothing behind it.
        blank: Whether it consists of blanks.
        stamp: Whether it is a stamp; lines may have it without the parts behind it.
        is_guess: Whether only the parsers show that it does not belong to the lines: they read as much without it.
        is_word: Whether it is a word without a sign of a prefix, which may as well be a name that a tool prints.
    """

    pattern: str
    group: Literal["", "exact", "numbered"] = ""
    common: bool = False
    alone: bool = False
    blank: bool = False
    stamp: bool = False
    is_guess: bool = False
    is_word: bool = False


class Prefix:
    """A prefix of the lines of a log.

    Args:
        parts: Its parts, from left to right.

    Attributes:
        is_stamp: Whether all parts are stamps.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(parts)
        self.is_stamp = all(part.stamp for part in parts)
        self._groups = [part.group for part in parts if part.group]
        self._form = re.compile(rf"\n{_chain_pattern(parts)}".encode())

    def remove(self, data: bytes) -> tuple[bytes, dict[int, str]]:
        """Remove the prefix from lines.

        Args:
            data: Lines as one text, each between two line feeds.

        Returns:
            The lines, and the names of their runs by index; none if all lines are of one run.
        """
        names: dict[int, str] = {}
        if self._groups:
            index, seen = -1, 0
            for found in self._form.finditer(data):
                index += data.count(b"\n", seen, found.start() + 1)
                seen = found.start() + 1
                if name := self._name(found.groups()):
                    names[index] = name
        return self._form.sub(b"\n", data), names

    def precedes(self, text: str) -> bool:
        """Check whether a line of a text begins with the prefix, behind any blanks."""
        lines = "\n".join(("", *map(str.lstrip, text.split("\n")), ""))
        return any(found.end() > found.start() + 1 for found in self._form.finditer(lines.encode()))

    def _name(self, texts: Sequence[bytes | None]) -> str:
        words = [
            _NUMBER.sub("0", word) if group == "numbered" else word
            for group, text in zip(self._groups, texts, strict=True)
            if text and (word := text.decode("utf-8", "replace"))
        ]
        return " ".join(word.strip() for word in words)


class Recognized(NamedTuple):
    """What parsers recognize in some lines.

    Args:
        tools: How many tools and reports of runners.
        failures: Name, file and message of each failure.
        certain: How many of these have high confidence.
        failed: The tools whose failures these are.
    """

    tools: int
    failures: Sequence[tuple[str, str, str]]
    certain: int
    failed: frozenset[str]


Trial: TypeAlias = Callable[[Prefix | None], Recognized]
"""Reads lines behind a prefix, or without one."""


def _chain_pattern(parts: Sequence[Part]) -> str:
    """Return the pattern of a chain: a line may end after a stamp, and has the parts between two stamps or none."""
    pattern = ""
    for part, after in reversed([*pairwise(parts), (parts[-1], None)]):
        own = f"({part.pattern})" if part.group else part.pattern
        optional = after is None or part.stamp or after.stamp
        pattern = f"{own}(?:{pattern})?" if pattern and optional else own + pattern
    return f"(?:{pattern})"


def learn_prefix(lines: Sequence[str], read: Trial, *, first: bool) -> Prefix | None:
    """Return the prefix of a log; None for none.

    Args:
        lines: Some of its lines.
        read: Reads these lines behind a prefix, or without one.
        first: Whether the lines are the first ones of the log; later, a tool's own lines may be all that there is.
    """
    filled = list(filter(None, lines))
    is_short = len(filled) <= SHORT
    if not _find_parts(_sample(filled, FEW_LINES), most=1, is_short=is_short):
        return None
    is_doubled = 2 * len(filled) <= len(lines) + STRAY  # each line end was written twice: no empty line is a tool's own
    parts = _find_parts(_sample(filled if is_doubled else lines, MOST_LINES), is_short=is_short)
    stamps = next((count for count, part in enumerate(parts) if not part.stamp), len(parts))
    best = _try_parts(parts, stamps, _count_certain(parts, first=first), read) if stamps < len(parts) else stamps
    return Prefix(parts[:best]) if best else None


def _count_certain(parts: Sequence[Part], *, first: bool) -> int:
    """Return how many parts count although parsers may not read more behind them."""
    certain = 0
    for count, part in enumerate(parts, 1):
        if not part.stamp and not (first and part.common):
            break
        behind_word = any(not before.stamp and not before.blank for before in parts[: count - 1])
        if part.stamp or (part.alone and not (part.is_guess and behind_word)):
            certain = count
    return certain


def _try_parts(parts: Sequence[Part], stamps: int, certain: int, read: Trial) -> int:
    """Return how many of the parts count: the fewest behind which parsers read most, or as much if they are certain.

    What parsers read without a part is worth nothing if they took the part for the beginning of a name or a message.
    """
    best, known = stamps, read(Prefix(parts[:stamps]) if stamps else None)
    for count in range(stamps + 1, len(parts) + 1):
        wrong = _count_wrong(parts[best:count], known.failures)
        found = read(Prefix(parts[:count]))
        certainly = count <= certain and (bool(known.failures) or not parts[count - 1].is_guess)
        more = found.tools >= known.tools and _tells_more(found, known, is_unindented=parts[count - 1].blank)
        if more or _is_better(found, known, wrong, certain=certainly):
            best, known = count, found
    return best


def _count_wrong(parts: Sequence[Part], failures: Sequence[tuple[str, str, str]]) -> int:
    """Return how many failures begin with further parts, or with the last ones: a parser may skip the others.

    Blanks before a message may be its own.
    """
    further = [part for part in parts if not part.blank]
    chains = [Prefix(further[at:]) for at, part in enumerate(further) if at == 0 or not part.is_word]
    indented = len(further) < len(parts)

    def is_wrong(name: str, file: str, message: str) -> bool:
        if indented and (name[:1].isspace() or file[:1].isspace()):
            return True
        return any(chain.precedes(text) for chain in chains for text in (name, file, message))

    return sum(is_wrong(*texts) for texts in failures)


def _is_better(found: Recognized, known: Recognized, wrong: int, *, certain: bool) -> bool:
    """Check whether parsers read more; the failures of a tool that is recognized count more than how many tools are."""
    if found.tools > known.tools == 0:
        return True
    gained = len(found.failures) - (len(known.failures) - wrong)
    is_certain = found.certain > known.certain or (certain and wrong == 0)
    return found.tools >= known.tools and (gained > 0 or (gained == 0 and is_certain))


def _tells_more(found: Recognized, known: Recognized, *, is_unindented: bool) -> bool:
    """Check whether failures have files or messages, and none had before; behind an indentation, certainty counts too.

    Bare names are read from lines of any indentation, and from those that begin with a letter of the prefix.
    """
    has_causes = _tell_causes(found) and not _tell_causes(known)
    if is_unindented:
        return has_causes or found.certain > known.certain
    return has_causes and found.failed == known.failed and 2 * len(found.failures) > len(known.failures)


def _tell_causes(read: Recognized) -> bool:
    return any(any(texts[1:]) for texts in read.failures)


def _sample(lines: Sequence[str], most: int) -> list[str]:
    """Return some blocks of lines; lines in equal distances could be those of one run of several."""
    if len(lines) <= most:
        return list(lines)
    block = most // BLOCKS
    step = (len(lines) - block) // (BLOCKS - 1)
    return [line for begin in range(0, BLOCKS * step, step) for line in lines[begin : begin + block]]


def _find_parts(lines: list[str], most: int = MOST_PARTS, *, is_short: bool = False) -> list[Part]:
    """Return the parts with which most lines begin."""
    parts: list[Part] = []
    strayed = False
    while lines and len(parts) < most:
        if is_short and any(map(_DOCUMENT.match, lines)):
            break
        found = _find_stamp(lines) or _find_label(lines)
        found = found or (_find_known(lines) if is_short else None) or _find_indentation(lines)
        if not found or _tell_places(lines):
            break
        part, rests = found
        # Lines that lacked the blank before have this one neither.
        parts.append(part._replace(common=False, alone=False) if part.blank and strayed else part)
        strayed = part.blank and (strayed or len(rests) < len(lines))
        lines = rests
    return parts


def _tell_places(lines: list[str]) -> bool:
    """Check whether most lines begin with a package or a folder, which belong to what failed in them."""
    streams = Streams().part(list(lines), join_lines(lines))
    return sum(bool(stream.place) for stream in streams.values()) > HALF * len(lines)


Found: TypeAlias = tuple[Part, list[str]]
"""A part, and the rests of the lines that begin with it."""


def _find_stamp(lines: list[str]) -> Found | None:
    matches = [found for line in lines if ":" in line and (found := _STAMP.match(line))]
    if len(matches) < max(1, THIRD * len(lines)):
        return None
    rests = [found.string[found.end() :] for found in matches]
    space = _find_separator(rests)
    return Part(STAMP + _optional(space), stamp=True), _behind(rests, space)


def _count_most(count: int) -> float:
    """Return how many of some lines are nearly all."""
    return min(NEARLY_ALL * count, count - min(STRAY, count // 4))


def _find_label(lines: list[str]) -> Found | None:
    for form, sign in _FORMS.items():
        matches = [found for line in lines if sign in line and (found := form.match(line))]
        most = len(matches) >= _count_most(len(lines))
        if len(matches) < HALF * len(lines) or (form.pattern != BRACKETS and not most):
            continue
        if part := _label_part(form, matches, len(lines)):
            return part
    return None


def _label_part(form: re.Pattern[str], matches: Sequence[re.Match[str]], count: int) -> Found | None:
    """Return the part that has the most frequent beginnings, if these are few and most lines have them."""
    words = form.pattern == WORD
    masked = [_NUMBER.sub("0", found[0]) for found in matches]
    least = 1 if words or count > STRAY else 0
    frequent = {text: times for text, times in Counter(masked).most_common(MOST_LABELS) if times > least}
    chosen = [found for found, text in zip(matches, masked, strict=True) if text in frequent]
    most = len(chosen) >= _count_most(count)
    if len(chosen) < HALF * count or (form.pattern != BRACKETS and not most):
        return None
    is_own = _OWN.match if words else _LEVEL.fullmatch
    if any(map(is_own, frequent)) and not all(_OF_GITHUB.match(found.string, found.end()) for found in chosen):
        return None
    if words and len(set(map(_outline, frequent))) > 1:
        return None
    rests = [found.string[found.end() :] for found in chosen]
    empty = sum(not rest.strip() for rest in rests)
    if empty == len(rests):
        return None  # a whole line that comes again precedes nothing
    space = _find_separator(rests)
    part = Part(
        _label_pattern(form, frequent) + _optional(space),
        group="" if words and len(frequent) == 1 else _group(chosen, frequent),
        common=most and not (words and len(frequent) > 1),
        alone=0 < empty < HALF * len(rests),
        is_word=words,
    )
    return part, _behind(rests, space)


def _find_known(lines: list[str]) -> Found | None:
    """Return a prefix of a known form, if nearly all lines have it."""
    matches = [found for line in lines if (found := KNOWN.match(line))]
    if not matches or len(matches) < _count_most(len(lines)):
        return None
    return Part(KNOWN.pattern, common=True, alone=True), [found.string[found.end() :] for found in matches]


def _outline(text: str) -> str:
    """Return the signs of a word: names of one kind have the same."""
    return re.sub(r"\w+(?:[-.]\w+)*", "w", text)


def _group(chosen: Sequence[re.Match[str]], masked: Mapping[str, int]) -> Literal["", "exact", "numbered"]:
    """Return whether different beginnings are the names of different runs."""
    if not all(map(_NAME.match, masked)):
        return ""
    exact = len({found[0] for found in chosen})
    if 1 < exact <= min(MOST_LABELS, len(chosen) // 2):
        return "exact"
    return "numbered" if len(masked) > 1 else ""


def _label_pattern(form: re.Pattern[str], masked: Mapping[str, int]) -> str:
    """Return a pattern for beginnings without their numbers; names in columns may be others in the rest of a log."""
    if form.pattern == WORD:
        texts = sorted(masked, key=len, reverse=True)
        return "(?:{})".format("|".join(r" *\d+".join(map(re.escape, text.split("0"))) for text in texts))
    alone = rf"\W*\t(?!{OF_GITHUB})" if form.pattern == TAB else r"\W"
    return f"(?!\\W{{0,8}}{LEVEL}{alone})(?:{form.pattern})"


def _find_indentation(lines: list[str]) -> Found | None:
    """Return the blanks with which nearly all lines begin."""
    texts = [line for line in lines if line.strip()]
    shared = _shared_blanks(texts)
    if not shared:
        return None
    alone = [line for line in lines if not line.strip()]
    space = _blanks_alone(alone, shared)
    kept = [line for line in lines if line.startswith(space) or not line.strip()]
    whole = all(text.startswith(space) for text in texts)
    part = Part(
        rf"(?:{re.escape(space)}|[ \t]*(?=\n))",
        common=whole or not alone or space in alone,
        alone=whole or space in alone,
        blank=True,
        is_guess=whole and space not in alone,
    )
    return part, _behind(kept, space)


def _shared_blanks(texts: Sequence[str]) -> str:
    """Return the longest blanks with which nearly all texts begin; no text is blank."""
    strays = min(len(texts) // 10, STRAY)
    bare = (text for text in texts if text[0] not in " \t")
    if len(list(islice(bare, strays + 1))) > strays or not texts:
        return ""  # as for nearly all logs, without looking at all of their lines
    spaces = sorted((_SPACE.match(text)[0] for text in texts), key=len)  # type: ignore[index]  # it matches always
    return spaces[strays]


def _find_separator(rests: Sequence[str]) -> str:
    """Return the blanks between a part and the text."""
    shared = _shared_blanks([rest for rest in rests if rest.strip()])
    return _blanks_alone([rest for rest in rests if not rest.strip()], shared)


def _blanks_alone(empty: Sequence[str], shared: str) -> str:
    """Return which of the blanks before texts belong to the prefix: those before empty lines.

    If blanks at the ends of lines were removed, it is not known: then it is tried with one of them after the other.
    """
    least = min(empty, key=len, default="")
    return least if least and shared.startswith(least) else shared[:1]


def _optional(space: str) -> str:
    return f"(?:{re.escape(space)})?" if space else ""


def _behind(rests: Sequence[str], space: str) -> list[str]:
    return [rest.removeprefix(space) for rest in rests]
