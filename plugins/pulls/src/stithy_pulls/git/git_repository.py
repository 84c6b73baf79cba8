"""A cached repository in which git answers, with the forge's credentials where it needs them."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import Factory, define, field, frozen

from stithy_core.spi import GitRemote
from stithy_pulls.git.git_environment import build_environment, build_git_config
from stithy_pulls.git.git_errors import DamagedCache, GitError, create_git_error
from stithy_pulls.git.git_process import GitOutput, StderrListener, run_git

LEAST = (2, 38)
"""The first with `merge-tree --write-tree`."""

OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@frozen
class PathChange:
    """Who touched a path last: the commit, its author, its time as ISO 8601 and its subject."""

    sha: str
    author: str
    at: str
    subject: str


@define
class GitRepository:
    """A bare repository for reading.

    Args:
        program: git.
        folder: Where it is.
        remote: What it was fetched from.
        seconds: How long a command may take.
        notes: What somebody should know of the way it was read.
    """

    program: str
    folder: Path
    remote: GitRemote = field(repr=False)
    seconds: float = 60
    notes: list[str] = Factory(list)
    lazy: bool = True

    async def git(
        self,
        *words: str,
        given: bytes = b"",
        network: bool = False,
        fine: Iterable[int] = (0,),
        what: str = "",
        times: int = 1,
        hear: StderrListener | None = None,
    ) -> GitOutput:
        """Run a command of git.

        Args:
            words: The command.
            given: What it reads.
            network: Whether it may fetch, if only what is missing in a partial clone.
            fine: The exit statuses that are no failure.
            what: What it is to do, for the error.
            times: How much longer than usual it may take.
            hear: Is told what it says.

        Raises:
            NoGit: It ended otherwise; `Damaged` where the repository itself cannot be read.
        """
        settings = build_git_config(self.remote, lazy=network and self.lazy)
        environ = build_environment(settings, self.remote if network else None) | {"GIT_DIR": str(self.folder)}
        ran = await run_git([self.program, *words], environ, given=given, seconds=self.seconds * times, hear=hear)
        if ran.code not in fine:
            raise create_git_error(what or words[0], ran.code, ran.said)
        return ran

    async def run_lines(self, *words: str, **options: object) -> Sequence[str]:
        """Give what a command prints with `-z`, as text; a name that is none keeps its bytes as surrogates."""
        ran = await self.git(*words, **options)  # type: ignore[arg-type]
        return [line.decode(errors="surrogateescape") for line in ran.out.split(b"\0")[:-1]]

    async def list_tips(self) -> dict[str, str]:
        """Give the commit of each ref that is kept.

        Raises:
            Damaged: One is missing, since it was in a clone that is gone, say. git would try to fetch it, and in doing
                so miss it again.
        """
        ran = await self.git("for-each-ref", "--format=%(objectname) %(objecttype) %(refname)", what="read its cache")
        rows = [line.split(" ", 2) for line in ran.out.decode(errors="surrogateescape").splitlines()]
        return {ref: sha for sha, _, ref in rows}

    async def read_objects(self, oids: Iterable[str]) -> dict[str, bytes]:
        """Read objects, those that are missing with one fetch; what cannot be had is left out."""
        wanted = list(dict.fromkeys(oids))
        found = await self._read(wanted)
        if missing := [oid for oid in wanted if oid not in found]:
            await self._fetch_objects(missing)
            found |= await self._read(missing)
        return found

    async def fetch_missing(self, oids: Iterable[str]) -> None:
        """Fetch the objects that are missing, all at once, and read none of them."""
        kinds = await self.list_object_types(oids)
        if missing := [oid for oid, kind in kinds.items() if kind == "missing"]:
            await self._fetch_objects(missing)

    async def list_object_types(self, oids: Iterable[str]) -> dict[str, str]:
        """Say what objects are: blob, tree, commit or tag, or missing here."""
        given = "".join(f"{oid}\n" for oid in dict.fromkeys(oids)).encode()
        ran = await self.git("cat-file", "--batch-check", given=given, what="look for objects")
        rows = (line.split(" ") for line in ran.out.decode(errors="replace").splitlines())
        return {row[0]: row[1] for row in rows}

    async def _read(self, oids: Sequence[str]) -> dict[str, bytes]:
        """Read what is here, and fetch nothing: one by one that would take an age."""
        if not oids:
            return {}
        given = "".join(f"{oid}\n" for oid in oids).encode()
        return _batch((await self.git("cat-file", "--batch", given=given, what="read files")).out)

    async def _fetch_objects(self, oids: Sequence[str]) -> None:
        """Fetch objects as git itself does it, but all of them at once."""
        words = ("--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--filter=blob:none", "--stdin")
        command = ("-c", "fetch.negotiationAlgorithm=noop", "fetch", *words, "origin")
        try:
            given = "".join(f"{oid}\n" for oid in oids).encode()
            await self.git(*command, given=given, network=True, times=10, what="fetch files")
        except DamagedCache:
            raise
        except GitError as error:
            self.notes.append(error.message)


def _batch(out: bytes) -> dict[str, bytes]:
    """Read `<oid> <type> <size>`, the content and a line feed, again and again; `<oid> missing` has no content."""
    found, at = {}, 0
    while (end := out.find(b"\n", at)) >= 0:
        words = out[at:end].decode(errors="replace").split(" ")
        at = end + 1
        if len(words) == 3 and words[2].isdecimal():  # noqa: PLR2004 -- the three words above
            found[words[0]] = out[at : at + int(words[2])]
            at += int(words[2]) + 1
    return found
