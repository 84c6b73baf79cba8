"""GitLab for stithy."""

from stithy_core.spi import (
    CallWrapperSpec,
    ForgeKind,
    ForgeNames,
    NamedPlace,
    Segments,
    WrappedTool,
    hookimpl,
    parse_number,
)

STITHY_API = 1
API = "/api/v4"
RESERVED = frozenset(["-", "badges", "blame", "blob", "builds", "commits", "find_file", "raw", "refs", "tree", "wikis"])
"""Names that no project can have: https://docs.gitlab.com/user/reserved_names/."""


class GitLabNames(ForgeNames):
    """Groups nest to any depth, and issue 7 and merge request 7 are two things."""

    pull_request = "merge request"
    mark = "!"
    form = "group/project"
    pull_request_pages = ("-/merge_requests",)
    issue_pages = ("-/issues", "-/work_items")
    pages = RESERVED

    def parse_path(self, path: Segments) -> NamedPlace | None:
        """Parse the path of a page; in links from before 2020 the separator `-` is missing."""
        for place in range(self.min_depth, len(path) - 1):
            if path[place] == "-":
                break
            if path[place] in {"merge_requests", "issues"} and parse_number(path[place + 1]):
                return super().parse_path((*path[:place], "-", *path[place:]))
        return super().parse_path(path)


def find_web_url(url: str) -> str:
    """Return the web URL of a server for its web or API URL."""
    return url.rstrip("/").removesuffix(API).rstrip("/")


@hookimpl
def stithy_forges() -> list[ForgeKind]:
    """Register the kind `gitlab`; gitlab.com needs no configuration."""
    return [
        ForgeKind(
            name="gitlab",
            title="GitLab",
            forge="stithy_gitlab.gitlab_forge:GitLab",
            hosts=("gitlab.com",),
            credentials="stithy_gitlab.gitlab_credentials:GitLabCredentials",
            address=find_web_url,
            names=GitLabNames(),
        )
    ]


@hookimpl
def stithy_call_wrappers() -> list[CallWrapperSpec]:
    """Add the argument that allows quick actions to tools that post comments (docs/adr/0057)."""
    schema = {"type": "boolean"}  # every host pays for a description, and the refusal explains the argument
    wrapper = CallWrapperSpec(
        name="quick-actions",
        wrapper="stithy_gitlab.quick_action_calls:QuickActionsWrapper",
        applies=posts_comments,
        arguments={"allow_quick_actions": schema},
    )
    return [wrapper]


def posts_comments(tool: WrappedTool) -> bool:
    """Return whether a tool posts new texts, in which GitLab looks for quick actions; in edits they are refused."""
    names = {operation.__qualname__ for operation in tool.spec.needs}
    return bool(names & {"Comments.create", "Threads.reply"})
