"""The queries of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from github_double.admission import UNAUTHORISED, is_closed
from github_double.graph.code import Repository
from github_double.graph.core import MOST, Node, View, number_of, refuse
from github_double.graph.people import Viewer
from github_double.graph.pulls import PullRequest
from github_double.graph.threads import PullRequestReviewThread

if TYPE_CHECKING:
    from graphql import GraphQLError


class Query(Node):
    """The root of queries."""

    def viewer(self) -> Viewer:
        return Viewer(self.view, self.view.viewer)

    def repository(self, owner: str, name: str, *, follow_renames: bool = True) -> Repository:
        found = self.view.world.repository(f"{owner}/{name}")
        if found is None and follow_renames:
            found = self.view.world.former.get(f"{owner}/{name}".lower())
        if found is None or not found.allows(self.view.viewer, "read"):
            raise refuse("NOT_FOUND", f"Could not resolve to a Repository with the name '{owner}/{name}'.")
        if is_closed(found, self.view.token):
            raise refuse("FORBIDDEN", UNAUTHORISED)
        return Repository(self.view, found)

    def node(self, id: str) -> Node:  # noqa: A002 -- the schema's name
        number = number_of(id, "PRRT", "PR")
        if id.startswith("PRRT_"):
            return thread(self.view, id)
        pull = next((pull for pull in self.view.world.pulls() if pull.id == number), None)
        if pull is None or not pull.repository.allows(self.view.viewer, "read"):
            raise refuse("NOT_FOUND", f"Could not resolve to a node with the global id of '{id}'")
        return PullRequest(self.view, pull)

    def nodes(self, ids: list[str]) -> list[Node | GraphQLError]:
        """Return several nodes, at most a hundred; each missing one is null and an error."""
        from graphql import GraphQLError

        if len(ids) > MOST:
            raise refuse("ARGUMENT_LIMIT", f"You may not provide more than {MOST} node ids; you provided {len(ids)}.")

        def find(name: str) -> Node | GraphQLError:
            try:
                return self.node(name)
            except GraphQLError as error:
                return error

        return [find(name) for name in ids]

    def rate_limit(self, *, dry_run: bool = False) -> dict[str, Any]:
        return {"cost": 1, "limit": 5_000, "remaining": 4_999, "used": 1, "node_count": 1}


def thread(view: View, name: str) -> PullRequestReviewThread:
    """Find a thread that the viewer sees.

    Raises:
        GraphQLError: There is none.
    """
    found = view.world.thread(number_of(name, "PRRT"))
    if found is None or not found.pull.repository.allows(view.viewer, "read"):
        raise refuse("NOT_FOUND", f"Could not resolve to a node with the global id of '{name}'")
    return PullRequestReviewThread(view, found)
