"""Issues and pull requests that texts mention, by their short forms and their URLs."""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from attrs import frozen

from stithy_core.spi import (
    Forge,
    ForgeError,
    IssueRef,
    PullRequest,
    PullRequestRef,
    RepositoryRef,
    Unknown,
    Unsupported,
    map_concurrently,
    or_unknown,
)

CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
CLOSING = re.compile(r"(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s*:?\s*$", re.IGNORECASE)
SHORT = r"(?<![\w/.#&-])(?P<repository>[\w.-]+(?:/[\w.-]+)*)?(?P<mark>[{marks}])(?P<number>\d{{1,9}})\b"
PAGE = r"{url}/(?P<path>[^\s?#()<>\[\]\"'|]{{1,500}})"
PUNCTUATION = ".,;:!*_"
MOST = 10


@frozen
class IssueMention:
    """A mentioned issue or pull request; `kind` is issue or pull, or empty if the text does not say."""

    ref: IssueRef
    kind: str = ""


@frozen
class IssueMentions:
    """Mentioned issues and pull requests.

    Args:
        issues: Numbers of issues of this repository.
        pulls: Numbers of pull requests of this repository.
        elsewhere: Those in other repositories, as `owner/repo#n`.
        unasked: Those that may be either, as `#n`.
    """

    issues: tuple[int, ...] = ()
    pulls: tuple[int, ...] = ()
    elsewhere: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()


async def find_mentions(forge: Forge, pull: PullRequest, texts: Sequence[str]) -> IssueMentions:
    """Find mentions in texts, and ask the forge which of them are pull requests.

    Args:
        forge: The forge.
        pull: The pull request, which is not reported itself.
        texts: Its description, and its commit messages.
    """
    home = pull.ref.repository
    named = {one.ref: one for text in texts for one in parse_mentions(text, home, forge)}
    own = forge.names.create_pull_request_ref(home, pull.ref.number).short
    here = [one for one in named.values() if _is_same_repository(one.ref.repository, home) and one.ref.short != own]
    kinds = await map_concurrently(here[:MOST], lambda one: _find_kind(forge, one))
    pairs = list(zip([one.ref for one in here], kinds, strict=False))
    beyond = [one.ref for one in named.values() if not _is_same_repository(one.ref.repository, home)]
    return IssueMentions(
        issues=tuple(ref.number for ref, kind in pairs if kind == "issue"),
        pulls=tuple(ref.number for ref, kind in pairs if kind == "pull"),
        elsewhere=tuple(map(str, beyond[:MOST])),
        unasked=tuple(ref.short for ref, kind in pairs if not kind) + tuple(one.ref.short for one in here[MOST:]),
    )


def parse_mentions(text: str, home: RepositoryRef, forge: Forge) -> Iterator[IssueMention]:
    """Yield the mentions of a text, outside of code. A closing keyword before a number marks an issue.

    Where issues and pull requests share their numbers, every reference is an `IssueRef`.

    Args:
        text: Markdown.
        home: The repository that `#12` refers to.
        forge: The forge, whose marks and URLs are found.
    """
    bare = CODE.sub(" ", text)
    for found in re.finditer(SHORT.format(marks="".join({"#", re.escape(forge.names.mark)})), bare):
        name = found["repository"]
        repository = forge.names.parse_name(tuple(name.split("/"))) if name else home
        if repository is not None:
            closes = CLOSING.search(bare[max(found.start() - 12, 0) : found.start()])
            kind = "issue" if closes else ""
            if forge.names.numbers_apart:
                kind = "issue" if found["mark"] == "#" else "pull"
            yield _create_mention(forge, repository, int(found["number"]), kind)
    yield from _parse_urls(bare, forge)


def _parse_urls(text: str, forge: Forge) -> Iterator[IssueMention]:
    for found in re.finditer(PAGE.format(url=re.escape(forge.config.url.rstrip("/"))), text):
        path = found["path"].rstrip(PUNCTUATION)
        place = forge.names.parse_path(tuple(map(unquote, path.split("/"))))
        if place is None or place.repository is None:
            continue
        if place.issue:
            yield _create_mention(forge, place.repository, place.issue, "issue")
        if place.pull_request:
            yield _create_mention(forge, place.repository, place.pull_request, "pull")


def _create_mention(forge: Forge, repository: RepositoryRef, number: int, kind: str) -> IssueMention:
    if kind == "pull" and forge.names.numbers_apart:
        return IssueMention(forge.names.create_pull_request_ref(repository, number), kind)
    return IssueMention(IssueRef(repository, number), kind)


def _is_same_repository(one: RepositoryRef, other: RepositoryRef) -> bool:
    return str(one).lower() == str(other).lower()


async def _find_kind(forge: Forge, mention: IssueMention) -> str:
    """Ask the forge for the kind; without its answer, use what the text says."""
    if isinstance(mention.ref, PullRequestRef):
        return "pull"
    found = await or_unknown(forge.issues.get(mention.ref), on=(ForgeError, Unsupported))
    if isinstance(found, Unknown):
        return mention.kind
    return "pull" if found.is_pull_request else "issue"
