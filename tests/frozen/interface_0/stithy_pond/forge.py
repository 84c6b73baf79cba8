"""What a Pond server can do."""

import json
import shlex
from datetime import datetime
from urllib.parse import quote

from attrs import evolve
from stithy_core.spi import (
    Ability,
    Comment,
    Comments,
    Credentials,
    Dialect,
    Forge,
    ForgeError,
    Identity,
    IssueRef,
    Listing,
    NotFound,
    Operation,
    PullRequestRef,
    Refusal,
    Rejected,
    Thread,
    Threads,
    Token,
    User,
    Version,
    probed,
    since,
)
from stithy_pond.mapping import to_comment, to_thread, to_user


class PondThreads(Threads):
    async def of(self, pr: PullRequestRef) -> Listing[Thread]:
        found = await self.forge.http.items(f"/{quote(str(pr.repository))}/pulls/{pr.number}/threads", size=50)
        threads = sorted(found.map(to_thread), key=lambda thread: (thread.path, thread.line or 0))
        return Listing(tuple(threads), found.total, found.cut)

    @since("2.1", instead="reply that it is fixed")
    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        found = next((one for one in await self.of(pr) if one.named(thread)), None)
        if found is None:
            raise NotFound(f"{pr} has no thread {thread}", suggestion="Read its threads: they have the ids.")
        if found.resolved is True:
            return evolve(found, unchanged=True)
        return to_thread(await self.forge.http.send("PUT", f"/threads/{found.id}/resolved", idempotent=True))


class PondComments(Comments):
    async def of(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        comments = [to_comment(raw) for raw in await self.forge.http.get(talk_of(subject), shape=list)]
        return Listing(tuple(comment for comment in comments if since is None or comment.updated_at >= since))

    async def create(self, subject: IssueRef, body: str) -> Comment:
        async def send() -> Comment:
            return to_comment(await self.forge.http.send("POST", talk_of(subject), {"body": body}))

        async def find(began: datetime) -> Comment | None:
            late = await self.of(subject, since=began.replace(microsecond=0))
            return next((comment for comment in late if comment.body == body), None)

        return await self.forge.outbox.deliver((subject, body), self.forge.http.now(), send, find)


async def has_accounts(ability: Ability) -> bool:
    return "accounts" in await ability.forge.http.get("/features")


class PondIdentity(Identity):
    @probed(has_accounts, instead="ask the person who made the token")
    async def me(self) -> User:
        return to_user(await self.forge.http.get("/me", shape=dict))


def talk_of(subject: IssueRef) -> str:
    return f"/{quote(str(subject.repository))}/talks/{subject.number}"


def explain(refusal: Refusal) -> ForgeError | None:
    if refusal.status == 422:
        return Rejected(f"Pond finds it wrong: {refusal.message}", suggestion="Mend it; nothing was written.")
    return None


class PondCredentials(Credentials):
    async def find(self) -> Token | None:
        return self.variable("POND_TOKEN")


class Pond(Forge):
    abilities = (PondThreads, PondComments, PondIdentity)
    dialect = Dialect(api=lambda url: f"{url}/api", headers={"Accept": "application/json"}, explain=explain)

    async def identify(self) -> Version:
        return Version("pond", (await self.http.get("/version"))["version"])

    async def command(
        self, operation: Operation, subject: IssueRef, *, thread: Thread | None = None, body: str = ""
    ) -> str:
        if operation is not Comments.create:
            return ""
        sent, url = json.dumps({"body": body}), f"{self.link.url}/api{talk_of(subject)}"
        curl = 'curl -sS --fail-with-body -H "Authorization: Bearer ${POND_TOKEN:?}"'
        return f"{curl} -H 'Content-Type: application/json' -d {shlex.quote(sent)} {shlex.quote(url)}"
