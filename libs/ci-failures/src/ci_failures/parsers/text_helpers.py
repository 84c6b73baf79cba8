"""Text helpers that the parsers of all families share."""

import re
import shlex
from collections.abc import Iterable, Sequence

from ci_failures.model import MOST_TEXT

CHECKOUTS = re.compile(
    r"^(?:file://)?(?:/home/[^/]+/work/[^/]+/[^/]+/|/github/workspace/|/__w/[^/]+/[^/]+/|/Users/runner/work/[^/]+/[^/]+/"
    r"|/workspace/[^/]+/[^/]+/|/?[A-Za-z]:[\\/]a[\\/](?:_work[\\/]\d+[\\/]s|[^\\/]+[\\/][^\\/]+)[\\/]"
    r"|(?:/[^/]+){1,5}?/_work/[^/]+/[^/]+/|[A-Za-z]:[\\/](?:[^\\/]+[\\/]){1,5}?_work[\\/][^\\/]+[\\/][^\\/]+[\\/]"
    r"|/builds/[^/]+/[^/]+/|/(?:home|Users)/travis/build/[^/]+/[^/]+/|/home/circleci/[^/]+/|/root/project/"
    r"|/opt/atlassian/pipelines/agent/build/|/var/lib/buildkite-agent/builds/[^/]+/[^/]+/[^/]+/"
    r"|/var/(?:lib/)?jenkins(?:_home)?/workspace/[^/]+/|[A-Za-z]:\\projects\\[^\\]+\\"
    r"|/(?:usr/src/)?app/|/var/www/html/)"
)
"""Directories into which runners check out a repository.

GitHub's, in containers, on macOS, Gitea's, on Windows, self-hosted; then those of other vendors, and the directories in
which images keep the code that a job builds and tests.
"""

OF_OXLINT = re.compile(r"[\w-]+\([\w/-]+\)")
"""A rule with its plugin, as oxlint prints it in forms of other linters; names of ESLint's rules have no brackets."""
LONGEST_NUMBER = 9
"""Digits of a number; Python refuses more than 4,300."""
MOST_LINES = 60
"""Lines of a message that are collected before it is cut."""


def strip_mark(text: str) -> str:
    """Return a line without the mark that a runner adds to lines which a problem matcher recognizes as errors."""
    return text.removeprefix("##[error]")


def relative(path: str) -> str:
    """Return a path relative to the repository, as far as the path itself shows where that is; with slashes."""
    if path[:1] == "/" and path[2:4] in {":/", ":\\"}:  # Maven's form of a path of Windows
        path = path[1:]
    absolute = path[:1] == "/" or path[1:2] == ":" or path[:5] == "file:"
    found = CHECKOUTS.match(path) if absolute else None
    rest = path[found.end() :] if found else path.removeprefix("file://")
    if "\\" in rest and (found or "/" not in rest):
        rest = rest.replace("\\", "/")
    return rest.removeprefix("./")


def parse_number(text: str) -> int | None:
    """Return the number of a line; None for other text, and for a number of more digits than any line has."""
    return int(text) if len(text) <= LONGEST_NUMBER and text.isdecimal() else None


def parse_count(text: str) -> int:
    """Return a count of failures, 0 for other text; of an absurd one the first digits, so that it is not 0."""
    return int(text[:LONGEST_NUMBER]) if text.isdecimal() else 0


def join_message(lines: Iterable[str]) -> str:
    """Join lines to a message without their common indentation, at most MOST_TEXT characters of it."""
    kept = [line.rstrip() for line in lines]
    if len(kept) == 1:
        return kept[0].strip()[:MOST_TEXT].rstrip()
    if kept and (not kept[0] or kept[0][0].isspace()):  # otherwise nothing is indented in common
        indent = min([len(line) - len(line.lstrip()) for line in kept if line], default=0)
        kept = [line[indent:] for line in kept]
    return "\n".join(kept).strip("\n")[:MOST_TEXT].rstrip()


def command(*words: str) -> str:
    """Return a command with its words quoted for a POSIX shell."""
    return shlex.join(words)


def each_once(words: Iterable[str]) -> Sequence[str]:
    """Return the non-empty words in their order, without repetitions."""
    return tuple(dict.fromkeys(word for word in words if word))
