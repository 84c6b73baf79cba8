"""Whether a definition may still be there although its file lost it: from a base, a generator, or for other systems.

A base in another file is not read, so a method of a class with one is not certainly gone. Languages in which overriding
has a keyword say so at the method itself.
"""

import re
from collections.abc import Mapping, Sequence
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


def may_remain(holders: Sequence[Definition], path: str, texts: tuple[str, str], language: str) -> bool:
    """Return whether a removed definition may still be there.

    Args:
        holders: The definitions, as they are now, of the type that had it.
        path: The path of its file.
        texts: The file before and now.
        language: ast-grep's name of the language.
    """
    old, new = texts
    generating = _GENERATING.get(language)
    if generating is not None and generating.search(new):
        return True
    if language == "go":
        return _is_for_a_system(path, old) or any(_embeds(one, new) for one in holders)
    bases = _BASES.get(language)
    return bases is not None and any(bases.search(one.signature) for one in holders)


def _is_for_a_system(path: str, text: str) -> bool:
    """Return whether a file of Go is for some builds only: another file may have the definition for the rest."""
    return not _SYSTEMS.isdisjoint(PurePosixPath(path).stem.split("_")[1:]) or _BUILD.search(text) is not None


def _embeds(holder: Definition, text: str) -> bool:
    return _EMBEDDED.search("\n".join(text.splitlines()[holder.first : holder.last - 1])) is not None
