"""Globs of paths: `*` stays within a folder, `**` does not, and `{a,b}` is one of both."""

import re
from collections.abc import Iterable
from functools import lru_cache

_TOKENS = re.compile(r"\*\*/|/\*\*$|\*\*|\*|\?|\{[^{}]*\}|\[!?[^\]]+\]|.", re.DOTALL)
_KNOWN = {"**/": r"(?:[^/]+/)*", "/**": "/.+", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def fits(path: str, globs: Iterable[str]) -> bool:
    """Say whether a path, relative to the project, is meant by one of the globs.

    A glob without a slash is of the file's name alone, as in a `.gitignore`; a last slash means all below.
    """
    return any(_relative(glob).fullmatch(path if "/" in glob else path.rpartition("/")[2]) for glob in globs)


def _relative(glob: str) -> re.Pattern[str]:
    return pattern(glob.removeprefix("./").removeprefix("/") + ("**" if glob.endswith("/") else ""))


@lru_cache(maxsize=1_024)
def pattern(glob: str) -> re.Pattern[str]:
    """Give what a whole path must match; a glob that is none means the file that is called so."""
    try:
        return re.compile("".join(_part(token) for token in _TOKENS.findall(glob)), re.DOTALL)
    except re.error:
        return re.compile(re.escape(glob))


def _part(token: str) -> str:
    if token in _KNOWN:
        return _KNOWN[token]
    if token[0] == "{" and token[-1] == "}":
        return f"(?:{'|'.join(map(re.escape, token[1:-1].split(',')))})"
    if token[0] == "[" and token[-1] == "]":
        inner = re.escape(token[1:-1].removeprefix("!")).replace(r"\-", "-")
        return f"[{'^/' if token[1] == '!' else ''}{inner}]"
    return re.escape(token)
