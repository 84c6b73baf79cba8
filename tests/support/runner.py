"""A runner of Gitea's Actions: it takes the jobs of one repository and really runs their steps.

It speaks the runner's protocol (`runner.v1.RunnerService` over Connect, with JSON), and knows of a workflow only `run`
steps in bash. A step that writes `$ARTIFACT` leaves that file as an artifact. Run as root, steps run as `nobody`.
"""

import base64
import hashlib
import io
import os
import subprocess
import tempfile
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import yaml

from stithy_testing.cassette_recorder import UNRECORDED

SERVICE = "api/actions/runner.v1.RunnerService"
ARTIFACTS = "twirp/github.actions.results.api.v1.ArtifactService"
NOBODY: dict[str, Any] = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}


class Runner:
    """A runner that is registered with one repository."""

    def __init__(self, url: str, registration: str) -> None:
        self.url = url
        self.headers = {UNRECORDED: "1"}
        made = self.say("Register", name="lab", token=registration, version="lab", labels=["host:host"])["runner"]
        self.headers |= {"x-runner-uuid": made["uuid"], "x-runner-token": made["token"]}
        self.say("Declare", version="lab", labels=["host"])

    def say(self, method: str, **body: Any) -> dict[str, Any]:
        answer = httpx.post(f"{self.url}/{SERVICE}/{method}", json=body, headers=self.headers, timeout=60)
        said: dict[str, Any] = answer.raise_for_status().json()
        return said

    def work(self, jobs: int, seconds: float = 60) -> None:
        """Run a number of jobs."""
        until = time.monotonic() + seconds
        while jobs and time.monotonic() < until:
            task = self.say("FetchTask", tasksVersion="0").get("task")
            if task:
                self.run(task)
                jobs -= 1
        assert not jobs, f"{jobs} jobs never came"

    def run(self, task: dict[str, Any]) -> None:
        """Run a job's steps until one fails."""
        state = {"id": task["id"], "startedAt": now(), "steps": []}
        lines: list[tuple[str, str]] = []
        job = next(iter(yaml.safe_load(base64.b64decode(task["workflowPayload"]))["jobs"].values()))
        result = "RESULT_SUCCESS"
        for number, step in enumerate(job["steps"]):
            begun = {"id": str(number), "startedAt": now(), "logIndex": str(len(lines))}
            failed = self.execute(step["run"], lines, task)
            result = "RESULT_FAILURE" if failed else result
            state["steps"].append(
                begun | {"result": result, "stoppedAt": now(), "logLength": str(len(lines) - int(begun["logIndex"]))}
            )
            if failed:
                break
        rows = [{"time": at, "content": line} for at, line in lines]
        self.say("UpdateLog", taskId=task["id"], index="0", rows=rows, noMore=True)
        self.say("UpdateTask", state=state | {"result": result, "stoppedAt": now()})

    def execute(self, script: str, lines: list[tuple[str, str]], task: dict[str, Any]) -> int:
        """Run one step; its output becomes lines of the log."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o777)
            artifact = Path(folder, "artifact.txt")
            environment = {"PATH": os.environ["PATH"], "ARTIFACT": str(artifact)}
            command = ["bash", "-e", "-c", script]
            done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, **NOBODY)
            lines += [(now(), line) for line in (done.stdout + done.stderr).splitlines()]
            if artifact.exists():
                self.upload(artifact, task)
        return done.returncode

    def upload(self, file: Path, task: dict[str, Any]) -> None:
        """Leave a file as an artifact, as `upload-artifact@v4` does."""
        token = task["context"]["gitea_runtime_token"]
        headers = {UNRECORDED: "1", "Authorization": f"Bearer {token}"}
        claims = base64.urlsafe_b64decode(token.split(".")[1] + "==")
        _, run, job = yaml.safe_load(claims)["scp"].split()[0].split(":")
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.write(file, file.name)
        content, names = packed.getvalue(), {"workflow_run_backend_id": run, "workflow_job_run_backend_id": job}
        made = httpx.post(
            f"{self.url}/{ARTIFACTS}/CreateArtifact", json=names | {"name": "report", "version": 4}, headers=headers
        )
        place = made.raise_for_status().json()["signedUploadUrl"]
        httpx.put(f"{place}&comp=block", content=content, headers={UNRECORDED: "1"}).raise_for_status()
        size = {"size": str(len(content)), "hash": f"sha256:{hashlib.sha256(content).hexdigest()}"}
        httpx.post(
            f"{self.url}/{ARTIFACTS}/FinalizeArtifact", json=names | {"name": "report"} | size, headers=headers
        ).raise_for_status()


def now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
