"""The world of the conformance suite on a Gitea or Forgejo, made by requests that no recording keeps.

What it holds is said in docs/plugins/recordings-and-tests.md. On a recording it is only named.
"""

from typing import Any

from lab import Lab

NAME = "conformance"
FORMER = "conformance-before"
ARCHIVE = "conformance-archive"
HELLO = "".join(f"print({line})\n" for line in range(12))
LINES = "".join(f"line {line}\n" for line in range(1, 11))


class World(Lab):
    """A lab whose repository holds what the suite expects."""

    native_replies: bool = False

    def make(self) -> None:
        """Rebuild everything, in the order of the numbers."""
        self.delete()
        self.setup("POST", "/user/repos", {"name": FORMER, "auto_init": True, "default_branch": "main"})
        self.setup("PATCH", f"/repos/{self.owner}/{FORMER}", {"name": NAME})
        files = [("update", "README.md", "# Conformance\n"), ("create", "old.txt", "old\n")]
        self.commit("main", "Begin", *files, ("create", "hello.txt", LINES))
        self.make_issue()
        self.make_pull_request()
        self.make_merged()
        self.commit("greet", "Add later.txt", ("create", "later.txt", "later\n"), new="later")
        self.pull("WIP: Later", "later", "greet")
        self.post("issues", {"title": "It greeted once", "closed": True})
        rule = {"rule_name": "main", "required_approvals": 1, "enable_status_check": True}
        self.post("branch_protections", rule | {"status_check_contexts": ["build", "test"]})
        self.until_mergeable(2)
        self.make_archive()

    def delete(self) -> None:
        for name in (NAME, FORMER, ARCHIVE):
            self.setup("DELETE", f"/repos/{self.owner}/{name}", allowed=(404,))

    def make_issue(self) -> None:
        label = self.post("labels", {"name": "bug", "color": "#ee0701"})
        self.post("issues", {"title": "It does not greet", "body": "Say hello.", "labels": [label["id"]]})
        first, *_ = [self.post("issues/1/comments", {"body": body}) for body in ("first", "second", "third")]
        self.post(f"issues/comments/{first['id']}/reactions", {"content": "heart"})

    def make_pull_request(self) -> None:
        self.commit("main", "Add hello.py", ("create", "hello.py", HELLO), new="greet")
        told = LINES.replace("line 5", "line five")
        changes = [("update", "hello.txt", told), ("delete", "old.txt", ""), ("move", "READ.md", "README.md")]
        self.commit("greet", "Change texts", *changes)
        head = self.pull("Greet", "greet", "main", body="Closes #1.")["head"]["sha"]
        self.post("issues/2/comments", {"body": "Please look."})
        self.review("Some remarks.", {"path": "hello.py", "body": "Why print?", "new_position": 2})
        thread = self.review("", {"path": "hello.txt", "body": "Spell it out.", "new_position": 5})
        path = f"/repos/{self.repository}/pulls/2/comments/{thread}/replies"
        self.native_replies = self.setup("POST", path, {"body": "Done."}, allowed=(404, 405)).is_success
        for context, state, said in (
            ("build", "success", ""),
            ("test", "failure", "2 failed"),
            ("lint", "pending", ""),
        ):
            self.post(f"statuses/{head}", {"context": context, "state": state, "description": said})

    def make_merged(self) -> None:
        self.commit("main", "Add before.txt", ("create", "before.txt", "before\n"), new="before")
        self.pull("Done before", "before", "main")
        self.until_mergeable(3)
        self.post("pulls/3/merge", {"Do": "merge"})

    def make_archive(self) -> None:
        self.setup("POST", "/user/repos", {"name": ARCHIVE, "auto_init": True})
        self.setup("POST", f"/repos/{self.owner}/{ARCHIVE}/issues", {"title": "Put away"})
        self.setup("PATCH", f"/repos/{self.owner}/{ARCHIVE}", {"archived": True})

    def review(self, body: Any, comment: dict[str, Any]) -> int:
        """Submit a review with one comment in the diff, and return the comment's id."""
        made = self.post("pulls/2/reviews", {"event": "COMMENT", "body": body, "comments": [comment]})
        path = f"/repos/{self.repository}/pulls/2/reviews/{made['id']}/comments"
        return int(self.setup("GET", path).json()[0]["id"])

    def until_mergeable(self, number: int) -> None:
        """Wait until the server has looked for conflicts."""
        self.until(f"pulls/{number}", lambda pull: pull["mergeable"])
