"""How Gerrit names projects and changes: `/c/team/project/+/123`, or `/123` alone."""

from urllib.parse import quote

from stithy_core.spi import ForgeNames, NamedPlace, PullRequestRef, RepositoryRef, Segments

PATCH_SET = 1
"""Where the number of a patch set is in the short URL of a change: `/123/4`."""


class GerritNames(ForgeNames):
    """Projects may have any depth. The numbers of changes are unique on a server."""

    pull_request = "change"
    form = "team/project"
    min_depth = 1
    name_pattern = r"[A-Za-z0-9._+@ =-]+"
    pull_request_pages = ("+",)
    issue_pages = ()

    def parse_path(self, path: Segments) -> NamedPlace | None:
        """Parse the page of a change or of a project, or a clone URL."""
        if path[:2] == ("admin", "repos"):
            return self._place(tuple("/".join(path[2:]).partition(",")[0].split("/")))
        if not path[PATCH_SET + 1 :] and (number := self.parse_page(("+", *path), ("+",))):
            return NamedPlace(repository=None, pull_request=number)
        if "+" in path:
            at = path.index("+")
            return self._place(path[path[0] == "c" : at], self.parse_page(path[at:], ("+",)))
        return self._place(path[path[:1] == ("a",) :])

    def format_repository_path(self, repository: RepositoryRef) -> str:
        """Format the path of a project's page."""
        return f"admin/repos/{quote(str(repository), safe='')}"

    def format_pull_request_path(self, pr: PullRequestRef) -> str:
        """Format the path of a change's page."""
        return f"c/{quote(str(pr.repository))}/+/{pr.number}"

    def _place(self, name: Segments, number: int | None = None) -> NamedPlace | None:
        repository = self.parse_name(name) if name else None
        return None if repository is None else NamedPlace(repository=repository, pull_request=number)
