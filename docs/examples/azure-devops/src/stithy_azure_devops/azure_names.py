"""Names: `project/repo`, with spaces in both. Work items belong to no repository, and are numbered apart."""

from collections.abc import Sequence
from urllib.parse import quote

from stithy_core.spi import ForgeNames, NamedPlace, RepositoryRef, Segments

HOME = "https://dev.azure.com/"


class AzureDevOpsNames(ForgeNames):
    """The names of an organization; a repository that is called as its project may be written as `_git/repo`."""

    mark, form, max_depth = "!", "project/repo", 2
    name_pattern = r"[^\\/:*?\"<>|;#$%{},+=\[\]!]+"
    pull_request_pages, issue_pages = ("pullrequest",), ()

    def list_other_urls(self, url: str) -> Sequence[str]:
        former = f"https://{url.removeprefix(HOME)}.visualstudio.com"
        others = (f"{former}/DefaultCollection", former, "ssh://vs-ssh.visualstudio.com")
        return others if url.startswith(HOME) else ()

    def parse_name(self, path: Segments) -> RepositoryRef | None:
        if path[-2:-1] == ("_git",):
            path = (*(path[:-2] or path[-1:]), path[-1])
        return None if "_git" in path else super().parse_name(path)

    def parse_path(self, path: Segments) -> NamedPlace | None:
        """Parse `project/_git/repo/pullrequest/9`; other pages of a project belong to no repository."""
        end = path.index("_git") + 2 if "_git" in path[:2] else 0
        repository = self.parse_name(path[:end])
        number = self.parse_page(path[end:], self.pull_request_pages)
        return NamedPlace(repository=repository, pull_request=number) if repository else None

    def parse_remote(self, path: Segments, root: Segments) -> RepositoryRef | None:
        """Parse `v3/organization/project/repo`; another organization is another forge."""
        start = ("v3", *root)
        return self.parse_name(path[len(start) :]) if path[: len(start)] == start else None

    def format_repository_path(self, repository: RepositoryRef) -> str:
        return f"{quote(repository.namespace)}/_git/{quote(repository.name)}"
