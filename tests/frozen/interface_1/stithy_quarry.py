"""The forge Quarry: every operation over HTTP, and a kind with names of its own.

Written for interface 1. Never edit this file: it stands for the plugins of other authors, and a test holds its checksum.
"""

import json
import shlex
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import quote

from attrs import evolve
from stithy_core.spi import (
    NOT_REPORTED,
    Access,
    Annotation,
    Archived,
    Artifact,
    BranchRef,
    BranchRules,
    Capability,
    Changes,
    Checks,
    Comment,
    Comments,
    Commit,
    CommitCheck,
    Comparison,
    Credentials,
    Dialect,
    ErrorResponse,
    Event,
    FileChange,
    Forge,
    ForgeError,
    ForgeKind,
    ForgeNames,
    GitRemote,
    Identity,
    Issue,
    IssueRef,
    Issues,
    Label,
    Listing,
    Maybe,
    NextPage,
    NotFound,
    Operation,
    OwnersFile,
    PageResponse,
    Paging,
    PullRequest,
    PullRequestRef,
    PullRequests,
    RateLimits,
    RateLimitStatus,
    Reaction,
    Readiness,
    Rejected,
    Reply,
    Repository,
    RepositoryRef,
    Review,
    ReviewComment,
    Reviews,
    Rules,
    Step,
    TestCase,
    TestReport,
    TestStatus,
    Thread,
    Threads,
    Token,
    Unknown,
    User,
    UserKind,
    Verdict,
    Version,
    WorkflowJob,
    WorkflowRun,
    composed_readiness,
    find_thread,
    hookimpl,
    parse_count,
    probed,
    since,
    token_header,
)

STITHY_API = 1
SIZE = 50
Raw = Mapping[str, Any]
T = TypeVar("T")


def path_of(repository: RepositoryRef, *parts: object) -> str:
    return "/".join(["/repos", quote(str(repository)), *(quote(str(part), safe="") for part in parts)])


def talk_of(subject: IssueRef, *parts: object) -> str:
    return path_of(subject.repository, "talks", subject.number, *parts)


def pull_of(pr: PullRequestRef, *parts: object) -> str:
    return path_of(pr.repository, "pulls", pr.number, *parts)


# --- From JSON to records


def to_time(raw: str | None) -> datetime | None:
    return None if raw is None else datetime.fromisoformat(raw).astimezone(UTC)


def to_sure_time(raw: str) -> datetime:
    return datetime.fromisoformat(raw).astimezone(UTC)


def to_maybe(raw: Any, convert: Callable[[Any], T]) -> Maybe[T]:
    if isinstance(raw, dict) and "unknown" in raw:
        return Unknown(raw["unknown"], raw["remedy"])
    return convert(raw)


def to_flag(raw: Any) -> Maybe[bool]:
    return to_maybe(raw, bool)


def to_number(raw: Any) -> Maybe[int]:
    return to_maybe(raw, int)


def to_words(raw: Any) -> Maybe[tuple[str, ...]]:
    return to_maybe(raw, tuple)


def to_verdict(raw: Any) -> Maybe[Verdict]:
    return to_maybe(raw, Verdict)


def to_user(raw: Raw) -> User:
    return User(login=raw["login"], id=raw["id"], kind=UserKind(raw["kind"]))


def to_some_user(raw: Raw | None) -> User | None:
    return None if raw is None else to_user(raw)


def to_repository_ref(raw: Raw | None) -> RepositoryRef | None:
    return None if raw is None else RepositoryRef(raw["namespace"], raw["name"])


def to_branch(raw: Raw) -> BranchRef:
    return BranchRef(branch=raw["branch"], commit=raw["commit"], repository=to_repository_ref(raw["repository"]))


def read_issue_fields(raw: Raw) -> dict[str, Any]:
    return {
        "title": raw["title"],
        "body": raw["body"],
        "state": raw["state"],
        "author": to_user(raw["author"]),
        "locked": to_flag(raw["locked"]),
        "created_at": to_sure_time(raw["created_at"]),
        "updated_at": to_maybe(raw["updated_at"], to_sure_time),
        "url": raw["url"],
        "closed_at": to_time(raw["closed_at"]),
        "labels": tuple(Label(name=label["name"], colour=label["colour"]) for label in raw["labels"]),
        "assignees": tuple(to_user(user) for user in raw["assignees"]),
        "milestone": raw["milestone"],
        "comment_count": to_number(raw["comment_count"]),
        "association": raw["association"],
    }


def to_issue_ref(raw: Raw) -> IssueRef:
    repository = raw["repository"]
    return IssueRef(RepositoryRef(repository["namespace"], repository["name"]), raw["number"])


def to_issue(raw: Raw) -> Issue:
    return Issue(ref=to_issue_ref(raw["ref"]), is_pull_request=raw["is_pull_request"], **read_issue_fields(raw))


def to_pull_request(raw: Raw) -> PullRequest:
    ref = to_issue_ref(raw["ref"])
    return PullRequest(
        ref=PullRequestRef(ref.repository, ref.number),
        draft=to_flag(raw["draft"]),
        merged=raw["merged"],
        head=to_branch(raw["head"]),
        base=to_branch(raw["base"]),
        archived=to_flag(raw["archived"]),
        mergeable=to_flag(raw["mergeable"]),
        blocked=to_flag(raw["blocked"]),
        merged_at=to_time(raw["merged_at"]),
        merged_by=to_some_user(raw["merged_by"]),
        merge_commit=raw["merge_commit"],
        requested_reviewers=tuple(to_user(user) for user in raw["requested_reviewers"]),
        requested_teams=tuple(raw["requested_teams"]),
        additions=to_number(raw["additions"]),
        deletions=to_number(raw["deletions"]),
        changed_files=to_number(raw["changed_files"]),
        **read_issue_fields(raw),
    )


def to_reactions(raw: Sequence[Raw]) -> tuple[Reaction, ...]:
    return tuple(Reaction(content=one["content"], count=one["count"]) for one in raw)


def read_comment_fields(raw: Raw) -> dict[str, Any]:
    return {
        "id": raw["id"],
        "body": raw["body"],
        "author": to_user(raw["author"]),
        "created_at": to_sure_time(raw["created_at"]),
        "updated_at": to_sure_time(raw["updated_at"]),
        "url": raw["url"],
        "association": raw["association"],
        "reactions": to_maybe(raw["reactions"], to_reactions),
        "api_url": raw["api_url"],
        "minimized": to_maybe(raw["minimized"], str),
    }


def to_comment(raw: Raw) -> Comment:
    return Comment(**read_comment_fields(raw))


def to_review_comment(raw: Raw) -> ReviewComment:
    return ReviewComment(review=raw["review"], pending=raw["pending"], commit=raw["commit"], **read_comment_fields(raw))


def to_thread(raw: Raw) -> Thread:
    return Thread(
        id=raw["id"],
        path=raw["path"],
        line=raw["line"],
        resolved=to_flag(raw["resolved"]),
        comments=tuple(to_review_comment(one) for one in raw["comments"]),
        side=raw["side"],
        start_line=raw["start_line"],
        outdated=to_flag(raw["outdated"]),
        resolved_by=to_some_user(raw["resolved_by"]),
        hunk=raw["hunk"],
    )


def to_review(raw: Raw) -> Review:
    return Review(
        id=raw["id"],
        author=to_user(raw["author"]),
        state=raw["state"],
        body=raw["body"],
        submitted_at=to_time(raw["submitted_at"]),
        url=raw["url"],
        commit=raw["commit"],
        stale=to_flag(raw["stale"]),
        official=to_flag(raw["official"]),
        association=raw["association"],
        api_url=raw["api_url"],
    )


def to_event(raw: Raw) -> Event:
    return Event(
        id=raw["id"],
        kind=raw["kind"],
        at=to_time(raw["at"]),
        actor=to_some_user(raw["actor"]),
        text=raw["text"],
        subject=raw["subject"],
        url=raw["url"],
        raw=raw["raw"],
        api_url=raw["api_url"],
        previous=raw["previous"],
    )


def to_repository(raw: Raw) -> Repository:
    return Repository(
        ref=RepositoryRef(raw["ref"]["namespace"], raw["ref"]["name"]),
        url=raw["url"],
        default_branch=raw["default_branch"],
        private=raw["private"],
        archived=raw["archived"],
        fork=raw["fork"],
        clone_url=raw["clone_url"],
        parent=to_repository_ref(raw["parent"]),
        writable=to_flag(raw["writable"]),
        merge_methods=to_words(raw["merge_methods"]),
    )


def to_commit(raw: Raw) -> Commit:
    return Commit(
        sha=raw["sha"],
        message=raw["message"],
        author_name=raw["author_name"],
        author_email=raw["author_email"],
        authored_at=to_sure_time(raw["authored_at"]),
        committed_at=to_sure_time(raw["committed_at"]),
        author=to_some_user(raw["author"]),
        committer=to_some_user(raw["committer"]),
        parents=tuple(raw["parents"]),
        verified=to_flag(raw["verified"]),
        url=raw["url"],
    )


def to_file(raw: Raw) -> FileChange:
    return FileChange(
        path=raw["path"],
        status=raw["status"],
        additions=raw["additions"],
        deletions=raw["deletions"],
        previous_path=raw["previous_path"],
        patch=None if raw["patch"] is None else to_maybe(raw["patch"], str),
    )


def to_check(raw: Raw) -> CommitCheck:
    return CommitCheck(
        name=raw["name"],
        verdict=to_verdict(raw["verdict"]),
        url=raw["url"],
        kind=raw["kind"],
        id=raw["id"],
        raw=raw["raw"],
        source=raw["source"],
        summary=raw["summary"],
        run=raw["run"],
        job=raw["job"],
        annotations=to_number(raw["annotations"]),
        allowed_to_fail=to_flag(raw["allowed_to_fail"]),
        started_at=to_time(raw["started_at"]),
        completed_at=to_time(raw["completed_at"]),
    )


def to_run(raw: Raw) -> WorkflowRun:
    return WorkflowRun(
        id=raw["id"],
        name=raw["name"],
        number=raw["number"],
        verdict=to_verdict(raw["verdict"]),
        raw=raw["raw"],
        attempt=raw["attempt"],
        event=raw["event"],
        branch=raw["branch"],
        commit=raw["commit"],
        url=raw["url"],
        started_at=to_time(raw["started_at"]),
        completed_at=to_time(raw["completed_at"]),
    )


def to_job(raw: Raw) -> WorkflowJob:
    steps = (Step(number=one["number"], name=one["name"], verdict=to_verdict(one["verdict"])) for one in raw["steps"])
    return WorkflowJob(
        id=raw["id"],
        run=raw["run"],
        name=raw["name"],
        verdict=to_verdict(raw["verdict"]),
        raw=raw["raw"],
        attempt=raw["attempt"],
        steps=tuple(steps),
        runner=raw["runner"],
        labels=tuple(raw["labels"]),
        url=raw["url"],
        started_at=to_time(raw["started_at"]),
        completed_at=to_time(raw["completed_at"]),
    )


def to_annotation(raw: Raw) -> Annotation:
    names = ("path", "start_line", "end_line", "level", "message", "title", "details")
    return Annotation(**{name: raw[name] for name in names})


def to_artifact(raw: Raw) -> Artifact:
    return Artifact(
        id=raw["id"],
        name=raw["name"],
        size=raw["size"],
        job=raw["job"],
        expired=raw["expired"],
        created_at=to_time(raw["created_at"]),
        expires_at=to_time(raw["expires_at"]),
    )


def to_case(raw: Raw) -> TestCase:
    return TestCase(
        name=raw["name"],
        status=to_maybe(raw["status"], TestStatus),
        class_name=raw["class_name"],
        suite=raw["suite"],
        file=raw["file"],
        message=raw["message"],
        stack_trace=raw["stack_trace"],
        seconds=raw["seconds"],
        job=raw["job"],
    )


def to_rules(raw: Raw) -> BranchRules:
    return evolve(
        BranchRules.none(),
        protected=to_flag(raw["protected"]),
        required_approvals=to_number(raw["required_approvals"]),
        required_checks=to_words(raw["required_checks"]),
        all_checks=to_flag(raw["all_checks"]),
        up_to_date=to_flag(raw["up_to_date"]),
        resolved_threads=to_flag(raw["resolved_threads"]),
        sources=tuple(raw["sources"]),
        others=tuple(raw["others"]),
    )


# --- Operations


class QuarryIssues(Issues):
    async def get(self, issue: IssueRef) -> Issue:
        return to_issue(await self.forge.http.get(talk_of(issue), shape=dict))

    async def list(self, repository: RepositoryRef, *, state: str = "open", most: int = 100) -> Listing[Issue]:
        found = await self.forge.http.items(
            path_of(repository, "talks"), rows="items", size=SIZE, most=most, state=state
        )
        return found.map(to_issue)

    async def timeline(self, issue: IssueRef, *, most: int = 1_000) -> Listing[Event]:
        found = await self.forge.http.items(talk_of(issue, "timeline"), rows="items", size=SIZE, most=most)
        return found.map(to_event)


class QuarryPullRequests(PullRequests):
    async def get(self, pr: PullRequestRef) -> PullRequest:
        return to_pull_request(await self.forge.http.get(pull_of(pr), shape=dict))

    async def list(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        query: dict[str, Any] = {"state": state, "base": base, "head": head}
        found = await self.forge.http.items(path_of(repository, "pulls"), rows="items", size=SIZE, most=most, **query)
        return found.map(to_pull_request)

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        return await composed_readiness(self.forge, pr)

    async def dependencies(self, pr: PullRequestRef) -> Listing[Issue]:
        return (await self.forge.http.items(pull_of(pr, "dependencies"), rows="items", size=SIZE)).map(to_issue)


class QuarryComments(Comments):
    async def list(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        query: dict[str, Any] = {} if since is None else {"since": since.isoformat()}
        found = await self.forge.http.items(talk_of(subject, "comments"), rows="items", size=SIZE, **query)
        return found.map(to_comment)

    async def get(self, subject: IssueRef, comment: str) -> Comment:
        return to_comment(await self.forge.http.get(talk_of(subject, "comments", comment), shape=dict))

    async def create(self, subject: IssueRef, body: str) -> Comment:
        path = talk_of(subject, "comments")

        async def send() -> Comment:
            return to_comment(await self.forge.http.send("POST", path, {"body": body}, shape=dict))

        async def find(began: datetime) -> Comment | None:
            late = await self.list(subject, since=began.replace(microsecond=0))
            return next((one for one in late if one.body == body), None)

        return await self.forge.outbox.write((subject, body), self.forge.http.now(), send, find)

    async def edit(self, subject: IssueRef, comment: str, body: str) -> Comment:
        path = talk_of(subject, "comments", comment)

        async def send() -> Any:
            return await self.forge.http.send("PUT", path, {"body": body}, idempotent=True, shape=dict)

        async def find() -> Comment | None:
            found = await self.get(subject, comment)
            return found if found.body == body else None

        return await self.forge.outbox.confirm(send, find, read=to_comment)

    async def reactions(self, subject: IssueRef, comment: str) -> Sequence[Reaction]:
        found = (await self.get(subject, comment)).reactions
        return () if isinstance(found, Unknown) else found

    async def minimized(self, subject: IssueRef) -> Mapping[str, str]:
        found: Mapping[str, str] = await self.forge.http.get(talk_of(subject, "minimized"), shape=dict)
        return found


class QuarryReviews(Reviews):
    async def list(self, pr: PullRequestRef) -> Listing[Review]:
        return (await self.forge.http.items(pull_of(pr, "reviews"), rows="items", size=SIZE)).map(to_review)


class QuarryThreads(Threads):
    async def list(self, pr: PullRequestRef) -> Listing[Thread]:
        found = await self.forge.http.items(pull_of(pr, "threads"), rows="items", size=SIZE)
        threads = sorted(found.map(to_thread), key=lambda thread: thread.sort_key)
        return Listing(tuple(threads), total=found.total, cut=found.cut)

    async def reply(self, pr: PullRequestRef, thread: str, body: str, *, unless_since: datetime | None = None) -> Reply:
        found = await self.get_thread(pr, thread)
        if unless_since is not None:
            me = await self.forge.identity.me()
            same = [one for one in found.comments[1:] if one.body == body and one.author.is_same_account(me)]
            if before := next((one for one in same if one.created_at >= unless_since), None):
                return Reply(comment=before, thread=found.id, repeated=True)

        async def send() -> ReviewComment:
            path = pull_of(pr, "threads", found.id, "comments")
            return to_review_comment(await self.forge.http.send("POST", path, {"body": body}, shape=dict))

        async def find(began: datetime) -> ReviewComment | None:
            late = (await self.get_thread(pr, found.id)).comments
            fresh = (one for one in late if one.created_at >= began.replace(microsecond=0))
            return next((one for one in fresh if one.body == body), None)

        comment = await self.forge.outbox.write((pr, found.id, body), self.forge.http.now(), send, find)
        return Reply(comment=comment, thread=found.id)

    @since("3.0", instead="reply that it is done")
    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        return await self.set_resolved(pr, thread, resolved=True)

    @since("3.0", instead="reply that it is open")
    async def unresolve(self, pr: PullRequestRef, thread: str) -> Thread:
        return await self.set_resolved(pr, thread, resolved=False)

    async def get_thread(self, pr: PullRequestRef, thread: str) -> Thread:
        found = find_thread(await self.list(pr), thread)
        if found is None:
            raise NotFound(f"{pr} has no thread {thread}", suggestion="Read its threads: they have the ids.")
        return found

    async def set_resolved(self, pr: PullRequestRef, thread: str, *, resolved: bool) -> Thread:
        found = await self.get_thread(pr, thread)
        if found.resolved is resolved:
            return evolve(found, unchanged=True)
        path, body = pull_of(pr, "threads", found.id), {"resolved": resolved}
        return to_thread(await self.forge.http.send("PUT", path, body, idempotent=True, shape=dict))


class QuarryChanges(Changes):
    async def repository(self, repository: RepositoryRef) -> Repository:
        return to_repository(await self.forge.http.get(path_of(repository), shape=dict))

    async def files(self, pr: PullRequestRef, *, patches: bool = False) -> Listing[FileChange]:
        query: dict[str, Any] = {"patches": "yes"} if patches else {}
        return (await self.forge.http.items(pull_of(pr, "files"), rows="items", size=SIZE, **query)).map(to_file)

    async def diff(self, pr: PullRequestRef) -> AsyncIterator[bytes]:
        async for chunk in self.forge.http.stream(pull_of(pr, "diff")):
            yield chunk

    async def commits(self, pr: PullRequestRef) -> Listing[Commit]:
        return (await self.forge.http.items(pull_of(pr, "commits"), rows="items", size=SIZE)).map(to_commit)

    async def compare(self, repository: RepositoryRef, base: str, head: str) -> Comparison:
        raw = await self.forge.http.get(path_of(repository, "compare"), shape=dict, base=base, head=head)
        return Comparison(
            base=base,
            head=head,
            ahead=to_number(raw["ahead"]),
            behind=to_number(raw["behind"]),
            merge_base=to_maybe(raw["merge_base"], str),
            commits=Listing(tuple(to_commit(one) for one in raw["commits"])),
            files=Listing(tuple(to_file(one) for one in raw["files"])),
        )

    async def tree(self, repository: RepositoryRef, commit: str) -> Listing[str]:
        return await self.forge.http.items(path_of(repository, "tree", commit), rows="items", size=SIZE)

    async def git(self, repository: RepositoryRef) -> GitRemote:
        return await self.forge.http.git(f"{quote(str(repository))}.git", user="git")


async def has_ci(capability: Capability) -> bool:
    return "ci" in await capability.forge.http.get("/features", shape=list)


class QuarryChecks(Checks):
    async def list(
        self, repository: RepositoryRef, commit: str, *, pr: PullRequestRef | None = None
    ) -> Listing[CommitCheck]:
        found = await self.forge.http.items(path_of(repository, "checks", commit), rows="items", size=SIZE)
        return found.map(to_check)

    @probed(has_ci, instead="read the checks")
    async def runs(
        self, repository: RepositoryRef, commit: str, *, pr: PullRequestRef | None = None
    ) -> Listing[WorkflowRun]:
        return (await self.forge.http.items(path_of(repository, "runs", commit), rows="items", size=SIZE)).map(to_run)

    async def jobs(self, repository: RepositoryRef, run: str) -> Listing[WorkflowJob]:
        return (await self.forge.http.items(path_of(repository, "jobs", run), rows="items", size=SIZE)).map(to_job)

    async def annotations(self, repository: RepositoryRef, check: CommitCheck) -> Listing[Annotation]:
        if not check.annotations:
            return Listing(())
        path = path_of(repository, "annotations", check.id)
        return (await self.forge.http.items(path, rows="items", size=SIZE)).map(to_annotation)

    async def log(self, repository: RepositoryRef, job: str) -> AsyncIterator[bytes]:
        async for chunk in self.forge.http.stream(path_of(repository, "logs", job), accept="text/plain"):
            yield chunk

    async def artifacts(self, repository: RepositoryRef, run: str) -> Listing[Artifact]:
        found = await self.forge.http.items(path_of(repository, "artifacts", run), rows="items", size=SIZE)
        return found.map(to_artifact)

    async def artifact(self, repository: RepositoryRef, artifact: str) -> AsyncIterator[bytes]:
        async for chunk in self.forge.http.stream(path_of(repository, "archives", artifact)):
            yield chunk

    async def test_report(self, repository: RepositoryRef, run: str) -> TestReport:
        raw = await self.forge.http.get(path_of(repository, "reports", run), shape=dict)
        counts = {name: to_number(raw[name]) for name in ("total", "passed", "failed", "errors", "skipped")}
        return TestReport(cases=tuple(to_case(one) for one in raw["cases"]), cut=raw["cut"], **counts)


class QuarryRules(Rules):
    async def get(self, repository: RepositoryRef, branch: str, *, pr: PullRequestRef | None = None) -> BranchRules:
        return to_rules(await self.forge.http.get(path_of(repository, "rules", branch), shape=dict))


class QuarryIdentity(Identity):
    async def me(self) -> User:
        return to_user(await self.forge.http.get("/me", shape=dict))

    async def access(self) -> Access:
        answer = await self.forge.http.fetch("/me", shape=dict)
        left = parse_count(answer.headers.get("x-quarry-left"))
        resets = self.forge.http.now()
        quotas = () if left is None else (RateLimitStatus(name="all", limit=5_000, left=left, resets_at=resets),)
        return Access(scopes=NOT_REPORTED, quotas=quotas)

    async def may_push(self, repository: RepositoryRef, login: str) -> bool:
        answer = await self.forge.http.get(path_of(repository, "pushers", login), shape=dict)
        return bool(answer["may_push"])


# --- The forge


def find_next(page: PageResponse) -> NextPage | None:
    return NextPage(url=page.body["next"]) if page.body.get("next") else None


def map_error(response: ErrorResponse) -> ForgeError | None:
    if response.status == 410:
        return Archived(response.message, suggestion="Ask its owner to unarchive it.")
    if response.status == 422:
        return Rejected(f"Quarry refuses it: {response.message}", suggestion="Correct it; nothing was written.")
    return None


class QuarryCredentials(Credentials):
    async def find(self) -> Token | None:
        return self.variable("QUARRY_TOKEN")


class Quarry(Forge):
    capabilities = (
        QuarryIssues,
        QuarryPullRequests,
        QuarryComments,
        QuarryReviews,
        QuarryThreads,
        QuarryChanges,
        QuarryChecks,
        QuarryRules,
        QuarryIdentity,
    )
    dialect = Dialect(
        api=lambda url: f"{url}/api",
        headers={"Accept": "application/json"},
        authorization=token_header("X-Quarry-Token"),
        decode=lambda body: body.removeprefix(b")]}'\n"),
        paging=Paging(next_page=find_next, total=lambda page: parse_count(page.body.get("total")), size="per_page"),
        map_error=map_error,
        rate_limits=RateLimits(writes=80),
    )
    writes_by_http = True

    async def identify(self) -> Version:
        return Version("quarry", (await self.http.get("/version", shape=dict))["version"])

    async def command(
        self, operation: Operation, subject: IssueRef, *, thread: Thread | None = None, body: str = ""
    ) -> str:
        if operation is not Comments.create:
            return ""
        url = f"{self.config.url}/api{talk_of(subject, 'comments')}"
        return f'curl -H "X-Quarry-Token: ${{QUARRY_TOKEN:?}}" -d {shlex.quote(json.dumps({"body": body}))} {url}'

    async def owners_file(self) -> OwnersFile:
        return await super().owners_file()

    def head_ref(self, pull: PullRequest) -> str | None:
        return f"refs/quarry/{pull.ref.number}/head"


# --- A kind with names of its own


class PitNames(ForgeNames):
    pull_request = "merge request"
    mark = "!"
    form = "group/repo"
    max_depth = None
    pull_request_pages = ("-/merge_requests",)
    issue_pages = ("-/issues",)
    pages = frozenset()


class Pit(Forge):
    async def identify(self) -> Version:
        return Version("pit", "1.0")


@hookimpl
def stithy_forges() -> list[ForgeKind]:
    return [
        ForgeKind(
            name="quarry",
            title="Quarry",
            hosts=("quarry.example",),
            forge="stithy_quarry:Quarry",
            credentials="stithy_quarry:QuarryCredentials",
        ),
        ForgeKind(name="pit", title="Pit", forge=Pit, hosts=("pit.example",), names=PitNames()),
    ]
