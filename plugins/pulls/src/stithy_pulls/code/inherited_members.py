"""Whether a definition may still be there although its file lost it: from a base, a generator, or for other systems.

A base in another file is not read, so a method of a class with one is not certainly gone. Languages in which overriding
has a keyword say so at the method itself.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath

from stithy_pulls.code.definitions import Definition

_BASES: Mapping[str, re.Pattern[str]] = {
    "python": re.compile(r"class\s+\w+\s*(?:\[[^\]]*\])?\(\s*(?!(?:object|(?:abc\.)?ABC|metaclass\s*=[^,)]*)?\s*\))"),
    "swift": re.compile(r"\w\s*(?:<[^>]*>)?\s*:"),
    **dict.fromkeys(("java", "php", "typescript", "tsx", "javascript"), re.compile(r"\bextends\b")),
}
"""By language, what the signature of a type with a base has."""
_EMBEDDED = re.compile(r"^[ \t]+\*?(?:\w+\.)?\w+(?:\[[^\]\n]*\])?[ \t]*+(?:`[^`\n]*`[ \t]*+)?(?://.*)?$", re.MULTILINE)
"""A field of Go without a name, whose methods the struct has."""
_GENERATING: Mapping[str, re.Pattern[str]] = {
    "python": re.compile(r"\bdef __getattr__\b|\bglobals\(\)|\bsetattr\(|^[ \t]*from \S+ import \*", re.MULTILINE),
    "php": re.compile(r"\bfunction __call|^[ \t]+use[ \t]+\\?[A-Z][\w\\, ]*[;{]", re.MULTILINE),
    "java": re.compile(r"\blombok\b|\brecord\s+\w+\s*[<(]"),
    "csharp": re.compile(r"\bpartial\s+(?:class|struct|record|interface)\b"),
}
"""By language, what gives a file names that no line of it defines."""
_BUILD = re.compile(r"^//\s*(?:go:build|\+build)\b", re.MULTILINE)
_SYSTEMS = frozenset(
    word
    for line in (
        "aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows unix",
        "386 amd64 arm arm64 loong64 mips mips64 ppc64 ppc64le riscv64 s390x wasm",
    )
    for word in line.split()
)
"""The systems and processors in the names of Go's files."""


class RemainingNames:
    """Which definitions that a file lost may still be there. What concerns the whole file is found out once.

    Args:
        path: The path of the file.
        language: ast-grep's name of the language.
        old: Its content before.
        new: Its content now.
    """

    def __init__(self, path: str, language: str, old: bytes, new: bytes) -> None:
        self._path, self._language = path, language
        self._old, self._new = old, new

    def may_have(self, holders: Sequence[Definition]) -> bool:
        """Return whether a removed definition may still be there.

        Args:
            holders: The definitions, as they are now, of the type that had it.
        """
        if self._may_have_any:
            return True
        if self._language == "go":
            return any(self._embeds(one) for one in holders)
        bases = _BASES.get(self._language)
        return bases is not None and any(bases.search(one.signature) for one in holders)

    @cached_property
    def _may_have_any(self) -> bool:
        """Whether lines of the file generate names, or another file of Go may have them for other systems."""
        if self._language == "go":
            words = PurePosixPath(self._path).stem.split("_")[1:]
            return not _SYSTEMS.isdisjoint(words) or _BUILD.search(self._old.decode(errors="replace")) is not None
        generating = _GENERATING.get(self._language)
        return generating is not None and generating.search(self._new.decode(errors="replace")) is not None

    @cached_property
    def _lines(self) -> Sequence[str]:
        return self._new.decode(errors="replace").splitlines()

    def _embeds(self, holder: Definition) -> bool:
        """Return whether a struct of Go has a field without a name."""
        return _EMBEDDED.search("\n".join(self._lines[holder.first : holder.last - 1])) is not None
