"""Which issues and pull requests a pull request names, in its own repository and in others."""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from stithy_core.spi import Forge, IssueRef, PullRequest, RepositoryRef, Unknown, map_concurrently
from stithy_pulls.asking import attempted

CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
CLOSING = re.compile(r"(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s*:?\s*$", re.IGNORECASE)
SHORT = re.compile(r"(?<![\w/.#&-])(?P<repository>[\w.-]+/[\w.-]+)?#(?P<number>\d{1,9})\b")
MOST = 10


@frozen
class IssueMention:
    """Something that was named: `kind` is issue or pull, or empty where the text does not say."""

    ref: IssueRef
    kind: str = ""


@frozen
class IssueMentions:
    """What was named.

    Args:
        issues: Numbers of issues of this repository.
        pulls: Those of pull requests.
        elsewhere: What is in other repositories, as `owner/repo#n`.
        unasked: What was named and may be either, as `#n`.
    """

    issues: tuple[int, ...] = ()
    pulls: tuple[int, ...] = ()
    elsewhere: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()


async def find_mentions(forge: Forge, pull: PullRequest, texts: Sequence[str]) -> IssueMentions:
    """Find what texts name, and ask the forge which of it are pull requests.

    Args:
        forge: The forge.
        pull: The pull request; itself is not among them.
        texts: Its description, and its commits' messages.
    """
    home = pull.ref.repository
    named = {one.ref: one for text in texts for one in parse_mentions(text, home, forge.config.url)}
    here = [one for one in named.values() if _same(one.ref.repository, home) and one.ref.number != pull.ref.number]
    kinds = await map_concurrently(here[:MOST], lambda one: _kind(forge, one))
    pairs = list(zip([one.ref.number for one in here], kinds, strict=False))
    return IssueMentions(
        issues=tuple(number for number, kind in pairs if kind == "issue"),
        pulls=tuple(number for number, kind in pairs if kind == "pull"),
        elsewhere=tuple(str(one.ref) for one in named.values() if not _same(one.ref.repository, home))[:MOST],
        unasked=tuple(f"#{number}" for number, kind in pairs if not kind)
        + tuple(f"#{one.ref.number}" for one in here[MOST:]),
    )


def parse_mentions(text: str, home: RepositoryRef, url: str) -> Iterator[IssueMention]:
    """Find what a text names, outside of code; a closing word before it makes it an issue.

    Args:
        text: Markdown.
        home: Which repository `#12` is in.
        url: Where people find the forge.
    """
    bare = CODE.sub(" ", text)
    for found in SHORT.finditer(bare):
        repository = _repository(found["repository"]) if found["repository"] else home
        kind = "issue" if CLOSING.search(bare[max(found.start() - 12, 0) : found.start()]) else ""
        yield IssueMention(IssueRef(repository, int(found["number"])), kind)
    page = re.compile(
        rf"{re.escape(url.rstrip('/'))}/(?P<name>[\w.-]+/[\w.-]+)/(?P<what>issues|pulls?)/(?P<number>\d{{1,9}})\b"
    )
    for found in page.finditer(bare):
        kind = "issue" if found["what"] == "issues" else "pull"
        yield IssueMention(IssueRef(_repository(found["name"]), int(found["number"])), kind)


def _repository(name: str) -> RepositoryRef:
    namespace, _, last = name.rpartition("/")
    return RepositoryRef(namespace, last)


def _same(one: RepositoryRef, other: RepositoryRef) -> bool:
    return str(one).lower() == str(other).lower()


async def _kind(forge: Forge, mention: IssueMention) -> str:
    """Ask which of the two it is; what the text says counts where the forge does not answer."""
    found = await attempted(forge.issues.get(mention.ref))
    if isinstance(found, Unknown):
        return mention.kind
    return "pull" if found.is_pull_request else "issue"
