"""Checks and rules: statuses, builds with jobs, logs and test results, and policies, which hang on pull requests."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from attrs import evolve

from stithy_azure_devops.azure_api import PREVIEW, Json, Pull, Repo, find_path, name_missing, read, to_time
from stithy_core import spi

APPROVALS, COMMENTS = "fa4e907d-c16b-4a4c-9dfa-4906e5d171dd", "c6a1889d-b943-4856-b76f-9e46bb6b0df2"
BUILD, STATUS = "0609b952-1397-4640-95ec-e00a01b2c241", "cbdc66da-9728-4af8-aada-9a5a32e4a226"
WORDS = {
    spi.Verdict.PASSED: "succeeded succeededWithIssues approved",
    spi.Verdict.FAILED: "failed error rejected broken",
    spi.Verdict.PENDING: "pending queued notStarted postponed",
    spi.Verdict.RUNNING: "inProgress running cancelling",
    spi.Verdict.CANCELLED: "canceled abandoned",
    spi.Verdict.SKIPPED: "skipped notApplicable",
    spi.Verdict.NEUTRAL: "partiallySucceeded",
}
VERDICTS = {word: verdict for verdict, words in WORDS.items() for word in words.split()}
MET = {"approved", "notApplicable"}
"""The words for policies that allow a merge."""
WRONG = {"Failed": spi.TestStatus.FAILED} | dict.fromkeys(("Error", "Timeout", "Aborted"), spi.TestStatus.ERROR)


def _read_state(word: str, raw: Json) -> dict[str, Any]:
    word = raw["result"] if word == "completed" else word
    began, ended = (to_time(raw[name]) if raw.get(name) else None for name in ("startTime", "finishTime"))
    verdict = VERDICTS.get(word) or spi.Unknown(f"Azure DevOps reports {word!r}")
    return {"verdict": verdict, "raw": word, "started_at": began, "completed_at": ended}


def _to_check(raw: Json) -> spi.CommitCheck:
    name = "/".join(filter(None, (raw["context"].get("genre"), raw["context"]["name"])))
    about = _read_state(raw["state"], {}) | {"summary": raw.get("description") or "", "url": raw.get("targetUrl") or ""}
    return spi.CommitCheck(name=name, id=str(raw["id"]), **about)


def _to_run(raw: Json, commit: str) -> spi.WorkflowRun:
    about = {"name": raw["definition"]["name"], "url": raw["_links"]["web"]["href"], "event": raw["reason"]}
    about |= {"id": str(raw["id"])} | _read_state(raw["status"], raw)
    return spi.WorkflowRun(number=raw["id"], commit=commit, **about)


def _find_source(raw: Json) -> str:
    """Return the commit that a build was requested for: for a pull request, it runs on the result of the merge."""
    variables = json.loads(raw.get("parameters") or "{}")
    return str(variables.get("system.pullRequest.sourceCommitId") or raw["sourceVersion"])


def _to_case(suite: str, raw: Json) -> spi.TestCase:
    place = raw["automatedTestStorage"] if raw["automatedTestType"] == "JUnit" else ""  # the class, or else a file
    return spi.TestCase(
        name=raw["automatedTestName"],
        status=WRONG[raw["outcome"]],
        class_name=place,
        suite=suite,
        message=raw.get("errorMessage") or "",
        stack_trace=raw.get("stackTrace") or "",
    )


def _name_check(result: Json) -> str:
    """Return the name of the check that a policy requires."""
    settings, context = result["configuration"]["settings"], result.get("context") or {}
    if result["configuration"]["type"]["id"] == STATUS:
        return "/".join(filter(None, (settings.get("statusGenre"), settings["statusName"])))
    pipeline = context.get("buildDefinitionName") or f"pipeline {settings['buildDefinitionId']}"
    return str(settings.get("displayName") or pipeline)


async def read_policies(forge: spi.Forge, pr: Pull) -> Sequence[Json]:
    """Read the results of the policies for a pull request."""
    project = (await read(forge, pr.repository))["project"]["id"]
    query = PREVIEW | {"artifactId": f"vstfs:///CodeReview/CodeReviewId/{project}/{pr.number}"}
    found = await forge.http.items(find_path(pr, "policy/evaluations"), rows="value", size=100, **query)
    return [one for one in found if one["configuration"]["isEnabled"]]


def list_blocking(results: Sequence[Json], *types: str) -> list[Json]:
    """Return the results of policies that block a merge, of some types or of all."""
    policies = ((one["configuration"], one) for one in results)
    return [row for one, row in policies if one["isBlocking"] and (not types or one["type"]["id"] in types)]


class AzureChecks(spi.Checks):
    """Statuses of a commit; for a pull request also its own ones, its policies, and the jobs of its builds."""

    async def list(self, repository: Repo, commit: str, *, pr: Pull | None = None) -> spi.Listing[spi.CommitCheck]:
        path = f"{find_path(repository)}/commits/{quote(commit, safe='')}/statuses"
        reading = self.forge.http.items(path, rows="value", latestOnly=True)
        rows = await name_missing(repository, reading, f"commit {commit}")
        runs = await self.runs(repository, commit, pr=pr)
        found = [evolve(_to_check(row), reported=pr is None) for row in rows]
        found += await self._list_own(pr, {run.id: run.url for run in runs}) if pr else ()
        for run in {run.name: run for run in reversed(runs)}.values():  # of a repeated build, the newest
            about: dict[str, Any] = {"kind": "job", "run": run.id, "url": run.url, "reported": False}
            for job in await self.jobs(repository, run.id):
                about |= {name: getattr(job, name) for name in ("id", "verdict", "raw", "started_at", "completed_at")}
                found.append(spi.CommitCheck(name=f"{run.name} / {job.name}", job=job.id, **about))
        return spi.Listing(tuple(sorted(found, key=lambda check: check.name)), cut=runs.cut)

    async def _list_own(self, pr: Pull, pages: Mapping[str, str]) -> Sequence[spi.CommitCheck]:
        rows = await self.forge.http.items(f"{find_path(pr)}/statuses", rows="value")
        own = {check.name: check for check in map(_to_check, rows)}  # of one name, the last is the newest
        for row in await read_policies(self.forge, pr):
            kind, run = row["configuration"]["type"]["id"], str((row.get("context") or {}).get("buildId", ""))
            if kind not in {BUILD, STATUS}:
                continue
            check = spi.CommitCheck(name=_name_check(row), id=row["evaluationId"], **_read_state(row["status"], {}))
            if kind == BUILD:
                check = evolve(check, kind="run", run=run, url=pages.get(run, ""))
            own[check.name] = check  # in place of a status, which the policy may no longer accept
        return [*own.values()]

    async def runs(self, repository: Repo, commit: str, *, pr: Pull | None = None) -> spi.Listing[spi.WorkflowRun]:
        scope = {"repositoryId": (await read(self.forge, repository))["id"], "repositoryType": "TfsGit"}
        scope["branchName"] = f"refs/pull/{pr.number}/merge" if pr else ""
        found = await self.forge.http.items(find_path(repository, "build/builds"), rows="value", most=500, **scope)
        return spi.Listing(tuple(_to_run(row, commit) for row in found if _find_source(row) == commit), cut=found.cut)

    async def jobs(self, repository: Repo, run: str) -> spi.Listing[spi.WorkflowJob]:
        rows = [one for one in await self._read_timeline(repository, run) if one["type"] == "Job"]
        jobs = [{"id": f"{run}/{one['id']}", "name": one["name"]} | _read_state(one["state"], one) for one in rows]
        return spi.Listing(tuple(spi.WorkflowJob(run=run, **one) for one in jobs))

    async def _read_timeline(self, repository: Repo, run: str) -> Sequence[Json]:
        path = find_path(repository, f"build/builds/{quote(run)}/timeline")
        raw = await name_missing(repository, self.forge.http.get(path, shape=dict), f"build {run}")
        return raw["records"] if raw else ()  # no content before the build begins

    async def log(self, repository: Repo, job: str) -> AsyncIterator[bytes]:
        run, _, name = job.partition("/")
        records = await self._read_timeline(repository, run)
        log = next((one["log"]["id"] for one in records if one["id"] == name and one.get("log")), None)
        if log is None:
            raise spi.NotFound(f"job {job} has no log", suggestion="Read it when the job has ended.")
        path = find_path(repository, f"build/builds/{run}/logs/{log}")
        async for piece in self.forge.http.stream(path, accept="text/plain"):
            yield piece

    async def test_report(self, repository: Repo, run: str) -> spi.TestReport:
        path, build = find_path(repository, "test/runs"), find_path(repository, f"build/builds/{quote(run)}")
        uri = (await name_missing(repository, self.forge.http.get(build, shape=dict), f"build {run}"))["uri"]
        cases = list[spi.TestCase]()
        for suite in await self.forge.http.items(path, rows="value", size=100, buildUri=uri):
            results = f"{path}/{suite['id']}/results"
            rows = await self.forge.http.items(results, rows="value", size=1_000, outcomes=",".join(WRONG))
            cases += [_to_case(suite["name"], row) for row in rows]
        return spi.TestReport(cases=tuple(cases))


class AzureRules(spi.Rules):
    """Policies with their results for a pull request; those of a branch alone are not read."""

    async def get(self, repository: Repo, branch: str, *, pr: Pull | None = None) -> spi.BranchRules:
        path, ref = f"{find_path(repository)}/refs", f"refs/heads/{branch}"
        refs = await name_missing(repository, self.forge.http.items(path, rows="value", filter=f"heads/{branch}"))
        rules = _to_rules(await read_policies(self.forge, pr)) if pr else spi.BranchRules()
        return evolve(rules, locked=any(one["name"] == ref and one.get("isLocked") for one in refs))


def _to_rules(results: Sequence[Json]) -> spi.BranchRules:
    blocking, mapped = list_blocking(results), list_blocking(results, APPROVALS, COMMENTS, BUILD, STATUS)
    approvals = [one["configuration"]["settings"] for one in list_blocking(results, APPROVALS)]
    others = [one for one in blocking if one not in mapped]
    return evolve(
        spi.BranchRules.none(),
        protected=bool(blocking),
        required_approvals=max((one["minimumApproverCount"] for one in approvals), default=0),
        required_checks=tuple(sorted(map(_name_check, list_blocking(results, BUILD, STATUS)))),
        dismisses_stale=any(one.get("resetOnSourcePush") is True for one in approvals),
        last_push=any(one.get("blockLastPusherVote") is True for one in approvals),
        rejection_blocks=any(one.get("allowDownvotes") is not True for one in approvals),
        resolved_threads=bool(list_blocking(results, COMMENTS)),
        sources=tuple(f"policy {one['configuration']['id']}" for one in blocking),
        evaluated=tuple(map(_to_evaluated_rule, others)),
    )


def _to_evaluated_rule(result: Json) -> spi.EvaluatedRule:
    name = result["configuration"]["type"]["displayName"]
    return spi.EvaluatedRule(name=f"the policy {name!r} is approved", met=result["status"] in MET)
