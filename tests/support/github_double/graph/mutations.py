"""The mutations of the graph."""

from __future__ import annotations

from typing import Any

from github_double.graph.core import Node, number_of, refuse
from github_double.graph.query import thread
from github_double.graph.threads import PullRequestReviewComment, PullRequestReviewThread
from github_double.records import Account
from github_double.review import pending


class Mutation(Node):
    """The changes; each tells back what was given as `clientMutationId`."""

    def resolve_review_thread(self, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002 -- the schema's name
        return self._settle(input, self.view.viewer)

    def unresolve_review_thread(self, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002
        return self._settle(input, None)

    def _settle(self, given: dict[str, Any], resolved_by: Account | None) -> dict[str, Any]:
        found = thread(self.view, given["threadId"])
        self._admit(found)
        if not found.may_resolve():
            raise refuse("FORBIDDEN", f"{self.view.viewer.login} does not have the correct permissions to execute this")
        found.record.resolved_by = resolved_by
        return {"thread": found, "client_mutation_id": given.get("clientMutationId")}

    def add_pull_request_review_thread_reply(self, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002
        """Answer in a thread; a review that was begun and not submitted takes the answer in."""
        found = thread(self.view, input["pullRequestReviewThreadId"])
        self._admit(found)
        if not input["body"].strip():
            raise refuse("UNPROCESSABLE", "Body can't be blank")
        pull, name = found.record.pull, input.get("pullRequestReviewId")
        begun = pending(pull, self.view.viewer)
        if name and (begun is None or begun.id != number_of(name, "PRR")):
            raise refuse("NOT_FOUND", f"Could not resolve to a node with the global id of '{name}'")
        made = self.view.world.add_reply(found.record, input["body"], self.view.viewer, review=begun)
        comment = PullRequestReviewComment(self.view, made)
        return {"comment": comment, "client_mutation_id": input.get("clientMutationId")}

    def _admit(self, found: PullRequestReviewThread) -> None:
        if found.record.pull.repository.archived:
            raise refuse("FORBIDDEN", "Repository was archived so is read-only.")
