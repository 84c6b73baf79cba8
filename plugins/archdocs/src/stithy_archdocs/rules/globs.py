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
    return any(_pattern(glob).fullmatch(path if "/" in glob else path.rpartition("/")[2]) for glob in globs)


@lru_cache(maxsize=1_024)
def _pattern(glob: str) -> re.Pattern[str]:
    glob = glob.removeprefix("./").removeprefix("/") + ("**" if glob.endswith("/") else "")
    return re.compile("".join(_part(token) for token in _TOKENS.findall(glob)), re.DOTALL)


def _part(token: str) -> str:
    if token in _KNOWN:
        return _KNOWN[token]
    if token[0] == "{" and token[-1] == "}":
        return f"(?:{'|'.join(map(re.escape, token[1:-1].split(',')))})"
    if token[0] == "[" and token[-1] == "]":
        inner = re.escape(token[1:-1].removeprefix("!")).replace(r"\-", "-")
        return f"[{'^/' if token[1] == '!' else ''}{inner}]"
    return re.escape(token)
