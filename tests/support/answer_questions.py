"""The questions of the matrix of broken answers: every tool that reads a forge, the comments service, `doctor`."""

from collections.abc import Iterator, Mapping
from typing import Any

from answer_matrix import Question
from attrs import frozen

METHODS = ("get", "get_comments", "get_reviews", "get_review_comments")
DRY = {"dry_run": True}
CONVERSATIONS: tuple[dict[str, Any], ...] = ({}, {"summarize": "brief"}, {"include": ["timeline"]})
WITHOUT_GIT = '[pulls]\ngit = ""\n'
RULE = '{"id": "no-print", "language": "python", "severity": "error", "rule": {"pattern": "print($$$A)"}}'
PATTERN = f"# Quiet\n\n```yaml ast-grep\n{RULE}\n```\n"


@frozen
class Place:
    """A pull request with something of everything, and where a recording has only a part of it, the others.

    Args:
        repository: As owner/name.
        pull: The pull request's number.
        issue: An issue's number.
        above: The number of a pull request that is stacked on it.
        failing: A pull request whose CI failed, as owner/name#number.
        ready: One whose readiness can be read.
        changes: One whose changes can be read.
        checked: One whose checks can be read.
    """

    repository: str
    pull: int
    issue: int
    above: int
    failing: str
    ready: str
    changes: str
    checked: str

    def questions(self, ids: Mapping[str, int | None]) -> Iterator[Question]:
        """Return the questions, those with a verdict first; without ids none about the conversation.

        Args:
            ids: Those of a `comment` of the pull request, an `issue_comment`, and a `remark` in the diff.
        """
        yield from self._verdicts()
        if ids:
            yield from self._conversations()
            yield from self._reads()
            yield from self._writes(ids)
            yield from self._routes()
        yield Question("doctor")

    def _verdicts(self) -> Iterator[Question]:
        yield from (Question("get_failing_tests", {"pr": self.failing, "compare_base": also}) for also in (False, True))
        yield Question("check_merge_readiness", {"pr": self.ready})
        yield Question("get_review_suggestions", {"pr": self.changes}, WITHOUT_GIT)
        yield Question("analyze_pr_impact", {"pr": self.changes, "depth": "detailed"}, WITHOUT_GIT)
        yield Question(
            "validate-against-pattern", {"pr": self.changes, "pattern_name": "quiet"}, '[archdocs]\nroot = "."\n'
        )
        for method, pr in (("get_status", self.checked), ("get_files", self.changes), ("get_diff", self.changes)):
            yield Question("pull_request_read", {**_split_reference(pr, "pullNumber"), "method": method})

    def _conversations(self) -> Iterator[Question]:
        yield Question("find_unresolved_comments", {"pr": self.pr})
        yield from (Question("get_pull_request_conversation", {"pr": self.pr} | more) for more in CONVERSATIONS)
        yield Question("detect_merge_conflicts", {"pr": self.pr})
        yield Question("manage_stacked_prs", {"base_pr": self.pr, "dependent_pr": f"{self.repository}#{self.above}"})

    @property
    def pr(self) -> str:
        return f"{self.repository}#{self.pull}"

    def _reads(self) -> Iterator[Question]:
        for method in METHODS:
            yield Question("pull_request_read", {**_split_reference(self.pr, "pullNumber"), "method": method})
        yield from (
            Question(tool, {"repository": self.repository, "state": "all"}) for tool in ("issue_list", "pr_list")
        )
        for kind, number in self._numbers():
            yield Question(f"{kind}_comment_list", {"repository": self.repository} | number)

    def _writes(self, ids: Mapping[str, int | None]) -> Iterator[Question]:
        for kind, number in self._numbers():
            given = {"repository": self.repository} | number | DRY
            yield Question(f"{kind}_comment_create", given | {"comment": "Only once."})
            comment = ids["comment" if kind == "pr" else "issue_comment"]
            if comment:  # a recording has not each of them by its id
                yield Question(f"{kind}_comment_edit", given | {"comment_id": comment, "new_content": "Another."})
        thread = _split_reference(self.pr, "pull_number") | DRY
        yield Question("reply_to_review_comment", thread | {"comment_id": ids["remark"], "body": "Only once."})
        for tool in ("resolve_review_thread", "unresolve_review_thread"):
            yield Question(tool, thread | {"comment_id": ids["remark"]})

    def _numbers(self) -> tuple[tuple[str, dict[str, int]], ...]:
        return (("issue", {"issue_number": self.issue}), ("pr", {"pull_request_number": self.pull}))

    def _routes(self) -> Iterator[Question]:
        for path in ("pulls/{}/comments", "pulls/{}/comments/combined", "issues/{}/comments", "issues/{}/timeline"):
            yield Question(f"/forges/lab/repos/{self.repository}/{path.format(self.pull)}")


def _split_reference(pr: str, number: str) -> dict[str, Any]:
    """Return the arguments of a tool that takes a pull request in three parts."""
    repository, _, digits = pr.partition("#")
    owner, name = repository.split("/")
    return {"owner": owner, "repo": name, number: int(digits)}
