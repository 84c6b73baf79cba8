"""Globs for paths: `*` stays within a folder, `**` crosses folders, and `{a,b}` means either.

The patterns are the project's own, and each is compared with thousands of paths, so they become expressions of `re`.
stithy_pulls has the dialects of forges, whose patterns need a bound on time because others write them.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

_TOKENS = re.compile(r"\*\*/|/\*\*$|\*\*|\*|\?|\{[^{}]*\}|\[!?[^\]]+\]|.", re.DOTALL)
_KNOWN = {"**/": r"(?:[^/]+/)*", "/**": "/.+", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def matches_any(path: str, globs: Iterable[str]) -> bool:
    """Return whether one of the globs matches a path relative to the project.

    A glob without a slash matches the file name in any folder, as in a `.gitignore`. A trailing slash matches
    everything below.
    """
    return any(_compile_relative(glob).fullmatch(path if "/" in glob else path.rpartition("/")[2]) for glob in globs)


def _compile_relative(glob: str) -> re.Pattern[str]:
    return compile_glob(glob.removeprefix("./").removeprefix("/") + ("**" if glob.endswith("/") else ""))


@lru_cache(maxsize=1_024)
def compile_glob(glob: str) -> re.Pattern[str]:
    """Compile a glob to an expression for whole paths; an invalid glob matches only the path that equals it."""
    try:
        return re.compile("".join(_translate_token(token) for token in _TOKENS.findall(glob)), re.DOTALL)
    except re.error:
        return re.compile(re.escape(glob))


def _translate_token(token: str) -> str:
    if token in _KNOWN:
        return _KNOWN[token]
    if token[0] == "{" and token[-1] == "}":
        return f"(?:{'|'.join(map(re.escape, token[1:-1].split(',')))})"
    if token[0] == "[" and token[-1] == "]":
        inner = re.escape(token[1:-1].removeprefix("!")).replace(r"\-", "-")
        return f"[{'^/' if token[1] == '!' else ''}{inner}]"
    return re.escape(token)
