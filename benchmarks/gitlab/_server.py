"""The double of GitLab for the benchmark, in a process of its own, with a latency. It computes each answer once.

Merge requests of the project smith/tools/anvil, by number:

1. Ready: approved, and 40 jobs have passed.
2. Of 40 jobs, three have failed, with the logs of real tools; one of them has a test report, too.
3. Has 10,000 notes: 100 general ones, the others in 300 threads, two of three resolved.
4. Has 10,000 general notes.
5. Small, for what is imported and connected at the first call.
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from threading import Lock, Thread
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "support"))

from conformance_history import write_conformance_history
from git_forge import Workshop
from git_server import serving_git
from gitlab_double.gitlab_server import NAME, GitLabServer, Handler
from gitlab_double.gitlab_world import USERS, Project, World

ROOT = Path(__file__).resolve().parents[2]
LOGS = ("pytest/9-plain.log", "go/broken.log", "jest/29-ci.log")
JOBS, THREADS, NOTES, GENERAL = 40, 300, 10_000, 100
MERGE_REQUESTS = range(1, 6)
SENTENCE = "The anvil rings when it is struck, and nobody knows why it is so loud today. "


class CountingServer(GitLabServer):
    """The double with answers that are computed once; `tally` is since the last question."""

    def __init__(self, folder: Path, latency: float) -> None:
        super().__init__(folder)
        self.latency = latency
        self.kept: dict[tuple[str, str, bytes], tuple[int, list[tuple[str, str]], bytes]] = {}
        self.tally = {"requests": 0, "bytes": 0}
        self.counting = Lock()


class CountingHandler(Handler):
    """Answers after the latency."""

    served: CountingServer
    key: tuple[str, str, bytes] | None = None

    def do_GET(self) -> None:  # noqa: N802 -- of the base
        served = self.served
        if self.path == "/counts":
            tally, served.tally = served.tally, dict.fromkeys(served.tally, 0)
            return super().give(200, [("Content-Type", "application/json")], json.dumps(tally).encode())
        body = self.body()
        self.key = self.command, self.path, body
        if self.key not in served.kept:
            self.body = lambda: body  # type: ignore[method-assign]
            try:
                return super().do_GET()
            finally:
                del self.body  # the next request of this connection has another one
        return self.give(*served.kept[self.key])

    do_POST = do_GET  # noqa: N815 -- of the base

    def give(self, status: int, headers: Any, content: bytes) -> None:
        served = self.served
        if self.key is not None:
            served.kept[self.key] = status, list(headers), content
        with served.counting:
            served.tally["requests"] += 1
            served.tally["bytes"] += len(content)
        time.sleep(served.latency)
        super().give(status, headers, content)


def write_history(shop: Workshop) -> None:
    """Write and push a branch for each merge request: with the same commits they would have the same pipelines."""
    write_conformance_history(shop)
    for number in MERGE_REQUESTS:
        shop.branch(f"greet-{number}", "greet")
        shop.commit(f"Greet {number}", {"greetings.txt": f"hello {number}\n"})
    shop.push()


def add_merge_requests(world: World, home: Project) -> None:
    """Create the merge requests."""
    for number in MERGE_REQUESTS:
        merge = world.add_merge_request(home, f"Greet {number}", f"greet-{number}", approvals_required=1)
        merge["approvals"].append({"user": USERS["bob"], "approved_at": merge["created_at"]})
    for number, failed in ((1, 0), (2, len(LOGS)), (5, 1)):
        add_pipeline(world, home, number, failed)
    for number in range(9):
        world.add_note(home.merges[5], build_text(number))
        world.add_note(home.merges[5], build_text(number), position=world.place(home.merges[5], "hello.py", 2))
    add_threads(world, home.merges[3])
    for number in range(NOTES):
        world.add_note(home.merges[4], build_text(number))


def add_pipeline(world: World, home: Project, number: int, failed: int) -> None:
    """Add a pipeline with 40 jobs to a merge request; the last ones have failed."""
    logs = [(ROOT / "libs" / "ci-failures" / "tests" / "logs" / name).read_bytes() for name in LOGS]
    ref, word = f"refs/merge-requests/{number}/head", "failed" if failed else "success"
    sha = home.merges[number]["sha"]
    run = world.add_pipeline(home, sha, word, source="merge_request_event", ref=ref)
    for place in range(JOBS - failed):
        world.add_job(home, run, f"job {place:02}", "success", trace=b"fine\n")
    for place, log in enumerate(logs[:failed]):
        world.add_job(home, run, f"job {JOBS - failed + place}", "failed", trace=log, failure_reason="script_failure")
    case = {"status": "failed", "name": "test_login", "classname": "tests.test_auth", "execution_time": 0.1}
    case |= {"system_output": "assert 1 == 2", "stack_trace": None, "file": "tests/test_auth.py"}
    home.reports[run["id"]] = [{"name": f"job {JOBS - 1}", "suite_error": None, "test_cases": [case][:failed]}]


def add_threads(world: World, merge: Any) -> None:
    """Add 10,000 notes, most of them in threads."""
    for number in range(GENERAL):
        world.add_note(merge, build_text(number))
    position = world.place(merge, "hello.py", 2)
    firsts = [world.add_note(merge, build_text(number), position=position) for number in range(THREADS)]
    threads = merge["discussions"][GENERAL:]
    for number in range(NOTES - GENERAL - THREADS):
        row = dict(firsts[number % THREADS], id=100_000 + number, body=build_text(number))
        threads[number % THREADS]["notes"].append(row)
    for number, thread in enumerate(threads):
        for note in thread["notes"]:
            note |= {"resolved": number % 3 > 0, "resolved_by": USERS["bob"] if number % 3 else None}


def build_text(number: int) -> str:
    """Return the text of a note: 100 to 600 characters."""
    return (SENTENCE * 8)[: 100 + 5 * (number % 100)]


def main(latency: float) -> None:
    """Serve until the process is ended; the first line of output is the port."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shop = Workshop(folder, NAME)
        write_history(shop)
        served = CountingServer(folder, latency)
        served.world.enterprise = True
        home = served.world.add_project(NAME)
        add_merge_requests(served.world, home)
        with serving_git(served, CountingHandler):
            print(served.url.rpartition(":")[2], flush=True)
            Thread(target=time.sleep, args=(3600,)).run()


if __name__ == "__main__":
    main(float(sys.argv[1]))
