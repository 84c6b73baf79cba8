"""How four kinds of forges write names that differ from GitHub's."""

from collections.abc import Sequence
from urllib.parse import quote

from stithy_core.spi import ForgeNames, NamedPlace, PullRequestRef, RepositoryRef, Segments, parse_number


class GitLabNames(ForgeNames):
    """GitLab: groups nest, and pages follow after `-`."""

    pull_request = "merge request"
    mark = "!"
    form = "group/repo"
    name_pattern = r"[A-Za-z0-9_.][A-Za-z0-9_.-]*"
    pull_request_pages = ("-/merge_requests",)
    issue_pages = ("-/issues", "-/work_items")
    pages = frozenset()


class BitbucketNames(ForgeNames):
    """Bitbucket Cloud: a workspace and a repository."""

    mark = "!"
    form = "workspace/repo"
    max_depth = 2
    pull_request_pages = ("pull-requests",)
    pages = frozenset()


class AzureNames(ForgeNames):
    """Azure DevOps: a project and a repository, with spaces in both; the organization is in the forge's URL.

    The repository that is called as its project may be written without it: `_git/repo`. Work items belong to a project,
    not to a repository.
    """

    mark = "!"
    form = "project/repo"
    max_depth = 2
    name_pattern = r"[^\\/:*?\"<>|;#$%{},+=\[\]!]+"
    pull_request_pages = ("pullrequest",)
    issue_pages = ()

    def list_other_urls(self, url: str) -> Sequence[str]:
        """Return where the organization was found before, with a collection in the path or not, also over SSH."""
        organization = url.removeprefix("https://dev.example/").replace("%20", "-")
        old = f"https://{organization}.old.example"
        return f"{old}/DefaultCollection", old, "ssh://old-ssh.example"

    def parse_name(self, path: Segments) -> RepositoryRef | None:
        """Parse `project/repo`, and `project/_git/repo` as the same."""
        if path[-2:-1] == ("_git",):
            path = (*(path[:-2] or path[-1:]), path[-1])
        return None if "_git" in path else super().parse_name(path)

    def parse_path(self, path: Segments) -> NamedPlace | None:
        """Parse `project/_git/repo/pullrequest/9`; a path without `_git` belongs to no repository."""
        if "_git" not in path[:2]:
            return None
        end = path.index("_git") + 2
        repository = self.parse_name(path[:end])
        number = self.parse_page(path[end:], self.pull_request_pages)
        return NamedPlace(repository=repository, pull_request=number) if repository else None

    def parse_remote(self, path: Segments, root: Segments) -> RepositoryRef | None:
        """Parse `v3/organization/project/repo`; another organization is another forge."""
        start = ("v3", *root)
        return self.parse_name(path[len(start) :]) if path[: len(start)] == start else None

    def format_repository_path(self, repository: RepositoryRef) -> str:
        """Format `project/_git/repo`."""
        return f"{quote(repository.namespace)}/_git/{quote(repository.name)}"


class GerritNames(ForgeNames):
    """Gerrit: projects of any depth, also without a namespace; a change's number is unique on the server."""

    pull_request = "change"
    form = "project"
    min_depth = 1
    name_pattern = r"[A-Za-z0-9_.][A-Za-z0-9_.-]*"
    issue_pages = ()

    def parse_path(self, path: Segments) -> NamedPlace | None:
        """Parse `c/project/+/123`, `123`, and a project's page or clone URL: `admin/repos/x%2Fy`, `a/x/y`, `x/y`."""
        if len(path) == 1 and (number := parse_number(path[0])):
            return NamedPlace(repository=None, pull_request=number)
        if path[:1] == ("c",) and "+" in path:
            at = path.index("+")
            return self._create_place(path[1:at], parse_number("".join(path[at + 1 : at + 2])))
        if path[:2] == ("admin", "repos"):
            return self._create_place(tuple("/".join(path[2:3]).split("/")))
        return self._create_place(path[1:] if path[:1] == ("a",) else path)

    def format_repository_path(self, repository: RepositoryRef) -> str:
        """Format `admin/repos/group%2Fproject`."""
        return f"admin/repos/{quote(str(repository), safe='')}"

    def format_pull_request_path(self, pr: PullRequestRef) -> str:
        """Format `c/group/project/+/123`."""
        return f"c/{quote(str(pr.repository))}/+/{pr.number}"

    def _create_place(self, path: Segments, number: int | None = None) -> NamedPlace | None:
        repository = self.parse_name(path)
        return NamedPlace(repository=repository, pull_request=number) if repository else None
