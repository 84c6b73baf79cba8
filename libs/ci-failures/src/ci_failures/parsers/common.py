"""What parsers of all families share: small pure functions on text."""

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
"""Where runners keep what they check out: GitHub's, in containers, macOS, Gitea's, Windows, one's own; others'.

The last are where images have it that a job builds and runs the tests in.
"""

MOST_LINES = 60
"""Lines of a message that are kept until it is cut."""


def unmarked(text: str) -> str:
    """Take away the mark that a runner puts before a line which one of its problem matchers knows as an error."""
    return text.removeprefix("##[error]")


def relative(path: str) -> str:
    """Give a path as the repository has it, as far as the path itself tells; with slashes."""
    found = CHECKOUTS.match(path)
    rest = path[found.end() :] if found else path.removeprefix("file://")
    if "\\" in rest and (found or "/" not in rest):
        rest = rest.replace("\\", "/")
    return rest.removeprefix("./")


def cut(lines: Iterable[str]) -> str:
    """Make a message of lines: without what they are all indented by, and MOST_TEXT characters of it."""
    kept = [line.rstrip() for line in lines]
    indent = min((len(line) - len(line.lstrip()) for line in kept if line), default=0)
    return "\n".join(line[indent:] for line in kept).strip("\n")[:MOST_TEXT].rstrip()


def command(*words: str) -> str:
    """Quote the words of a command for a POSIX shell."""
    return shlex.join(words)


def each_once(words: Iterable[str]) -> Sequence[str]:
    """Give words in their order, each once, without those that are empty."""
    return tuple(dict.fromkeys(word for word in words if word))
