"""A project on a GitLab, created by the API: on the double, or on the server of `make live`."""

import secrets
import time
from typing import Any

import httpx
from attrs import define

TRIES = 100
TEXT = "print('hello')\nprint('again')\n"


@define
class GitLabLab:
    """A project of its own: its merge request 1 has a comment and an open thread."""

    url: str
    token: str
    project: str = ""
    number: int = 0

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request of the setup, without stithy."""
        headers = {"PRIVATE-TOKEN": self.token}
        answer = httpx.request(method, f"{self.url}/api/v4{path}", json=body, headers=headers, timeout=60)
        assert answer.is_success, f"{method} {path}: {answer} {answer.text}"
        return answer.json()

    def create(self) -> None:
        """Create the project."""
        fields = {"path": f"stithy-lab-{secrets.token_hex(4)}", "visibility": "private", "initialize_with_readme": True}
        made = self.send("POST", "/projects", fields)
        self.number, self.project = made["id"], made["path_with_namespace"]
        base, here = made["default_branch"], f"/projects/{self.number}"
        action = {"action": "create", "file_path": "hello.py", "content": TEXT}
        commit = {"branch": "greet", "start_branch": base, "commit_message": "Greet", "actions": [action]}
        self.send("POST", f"{here}/repository/commits", commit)
        ends = {"source_branch": "greet", "target_branch": base}
        self.send("POST", f"{here}/merge_requests", {"title": "Greet", **ends})
        merge = f"{here}/merge_requests/1"
        place = {"position_type": "text", "old_path": "hello.py", "new_path": "hello.py", "new_line": 1}
        position = place | self.wait_for_diff(merge)
        self.send("POST", f"{merge}/notes", {"body": "Please look."})
        self.send("POST", f"{merge}/discussions", {"body": "Why print?", "position": position})

    def wait_for_diff(self, merge: str) -> dict[str, Any]:
        """Return the commits of the diff, which a GitLab creates after it has answered."""
        for _ in range(TRIES):
            if refs := self.send("GET", merge)["diff_refs"]:
                found: dict[str, Any] = refs
                return found
            time.sleep(0.2)
        raise AssertionError(f"{self.url} did not create the diff of the merge request")

    def delete(self) -> None:
        """Delete the project."""
        self.send("DELETE", f"/projects/{self.number}")
