"""The names of a kind of forge: how it writes repositories, issues and pull requests, in text and in URLs."""

import re
from collections.abc import Sequence
from typing import ClassVar, TypeAlias
from urllib.parse import quote

from attrs import frozen

from stithy_core.model import IssueRef, PullRequestRef, RepositoryRef

LARGEST = 2**53 - 1  # beyond it, JSON readers lose digits
_NUMBER = re.compile(r"[1-9][0-9]{0,15}")

Segments: TypeAlias = tuple[str, ...]
"""The segments of a path, decoded: `("group", "my repo")` of `/group/my%20repo`."""

_PAGE_WORDS = """
    - _delete _diffpatch _edit _new _upload actions activity agents archive atom attachments attestations blame blob
    branches checks commit commits community compare contributors delete deployments discussions edit environments
    find forks graph graphs insights invitations issues labels lastcommit media milestone milestones models network new
    packages people pkgs projects pull pulls pulse raw releases render rss rules runs search security settings src
    stargazers stars subscription suites tag tags tarball topics tree upload watchers wiki zipball
"""
PAGES = frozenset(_PAGE_WORDS.split())
"""The first words of pages below a repository of GitHub, Gitea or Forgejo."""


def parse_number(digits: str) -> int | None:
    """Parse the number of an issue or a pull request; None if the text is not its canonical form."""
    return int(digits) if _NUMBER.fullmatch(digits) and int(digits) <= LARGEST else None


@frozen(kw_only=True)
class NamedPlace:
    """What a path below a forge's URL names: a repository, and at most one of an issue and a pull request.

    Args:
        repository: The repository. None if the server knows the pull request by its number alone, as Gerrit's `/123`:
            then the core reads the pull request by `PullRequests.get` with an empty repository, and uses the `ref` of
            the result.
        issue: The issue's number, or None.
        pull_request: The pull request's number, or None.
    """

    repository: RepositoryRef | None
    issue: int | None = None
    pull_request: int | None = None


class ForgeNames:
    """How a kind of forge writes names. The defaults are those of GitHub, Gitea and Forgejo.

    A forge plugin derives a class, changes the attributes or overrides methods, and passes an instance as
    `ForgeKind.names`. The methods compute only: they get any text that a caller wrote, decoded, and raise nothing.

    Attributes:
        pull_request: The people's word, such as "merge request" or "change".
        mark: The character before a pull request's number in short forms. Any other than "#" means that issues and pull
            requests are numbered apart: `#7` and `!7` are two things.
        form: An example of a repository's short form, for error messages.
        min_depth: The smallest number of segments of a repository's name; 1 where it needs no namespace.
        max_depth: The largest number; None where groups nest. In a URL, whatever follows belongs to a page.
        name_pattern: A regular expression that matches a whole segment of a repository's name. Segments that are
            empty, `.` or `..`, contain `/` or invisible characters, or have a space at an end are refused in any case.
        pull_request_pages: The path from a repository's page to the numbers of its pull requests, such as
            "-/merge_requests". The first is written, and all are read.
        issue_pages: Likewise for issues; empty where URLs of issues do not lie below a repository.
        pages: The first segments of other pages below a repository, which end its name in a URL.
    """

    pull_request: ClassVar[str] = "pull request"
    mark: ClassVar[str] = "#"
    form: ClassVar[str] = "owner/repo"
    min_depth: ClassVar[int] = 2
    max_depth: ClassVar[int | None] = None
    name_pattern: ClassVar[str] = r"[A-Za-z0-9._-]+"
    pull_request_pages: ClassVar[tuple[str, ...]] = ("pulls", "pull")
    issue_pages: ClassVar[tuple[str, ...]] = ("issues",)
    pages: ClassVar[frozenset[str]] = PAGES

    @property
    def numbers_apart(self) -> bool:
        """Whether issues and pull requests are numbered apart."""
        return self.mark != "#"

    def create_pull_request_ref(self, repository: RepositoryRef, number: int) -> PullRequestRef:
        """Create the reference of a pull request, with the forge's mark."""
        return PullRequestRef(repository, number, mark=self.mark)

    def list_other_urls(self, url: str) -> Sequence[str]:
        """Return further URLs below which pages of the same forge are found; none by default.

        Clone URLs over SSH are recognised by the hosts of all of them. Requests are sent to `url` only.

        Args:
            url: The forge's own URL, such as `https://dev.azure.com/fabrikam`, which is also found below
                `https://fabrikam.visualstudio.com`.
        """
        return ()

    def parse_name(self, path: Segments) -> RepositoryRef | None:
        """Parse the short form of a repository's name; None for any other text. A final `.git` is removed.

        Args:
            path: The segments: `("group", "team", "repo")`.
        """
        if len(path) < self.min_depth or (self.max_depth and len(path) > self.max_depth):
            return None
        *namespace, name = *path[:-1], path[-1].removesuffix(".git")
        if not all("/" not in part and re.fullmatch(self.name_pattern, part) for part in (*namespace, name)):
            return None
        return RepositoryRef("/".join(namespace), name)

    def parse_path(self, path: Segments) -> NamedPlace | None:
        """Parse the path of a page; None if it belongs to no repository.

        Args:
            path: The segments below the forge's URL: `("owner", "repo", "pulls", "7", "files")`.
        """
        ends = {page.partition("/")[0] for page in (*self.pull_request_pages, *self.issue_pages)} | self.pages
        places = range(self.min_depth, len(path))
        end = next((place for place in places if path[place] in ends or place == self.max_depth), len(path))
        repository = self.parse_name(path[:end])
        if repository is None:
            return None
        page = path[end:]
        return NamedPlace(
            repository=repository,
            issue=self.parse_page(page, self.issue_pages),
            pull_request=self.parse_page(page, self.pull_request_pages),
        )

    def parse_page(self, page: Segments, prefixes: tuple[str, ...]) -> int | None:
        """Parse the number of an issue or a pull request from the path of its page; None if there is none.

        Args:
            page: The segments below the repository's page: `("-", "merge_requests", "7", "diffs")`.
            prefixes: The paths that lead to numbers, such as `pull_request_pages`.
        """
        for prefix in prefixes:
            words = tuple(prefix.split("/"))
            if page[: len(words)] == words and len(page) > len(words):
                return parse_number(page[len(words)])
        return None

    def parse_remote(self, path: Segments, root: Segments) -> RepositoryRef | None:
        """Parse the path of a clone URL over SSH or git; None if it names no repository.

        Args:
            path: The segments after the host.
            root: The segments of the forge's own URL; many servers leave them out over SSH.
        """
        rest = path[len(root) :]
        is_inside = path[: len(root)] == root and len(rest) >= self.min_depth
        return self.parse_name(rest if is_inside else path)

    def format_repository_path(self, repository: RepositoryRef) -> str:
        """Format the path of a repository's page below the forge's URL, quoted; `parse_path` reads it."""
        return quote(str(repository))

    def format_issue_path(self, issue: IssueRef) -> str:
        """Format the path of an issue's page below the forge's URL, quoted; it is empty without `issue_pages`."""
        if not self.issue_pages:
            return ""
        return f"{self.format_repository_path(issue.repository)}/{self.issue_pages[0]}/{issue.number}"

    def format_pull_request_path(self, pr: PullRequestRef) -> str:
        """Format the path of a pull request's page below the forge's URL, quoted; `parse_path` reads it."""
        return f"{self.format_repository_path(pr.repository)}/{self.pull_request_pages[0]}/{pr.number}"
