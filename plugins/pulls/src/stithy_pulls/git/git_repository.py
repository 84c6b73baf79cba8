"""A cached bare repository, and the git commands that read it, with the forge's credentials when git fetches."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import Factory, define, evolve, field, frozen

from stithy_core.spi import Forge, ForgeError, GitRemote, Refused, RepositoryRef, Unsupported
from stithy_pulls.git.git_environment import build_environment, build_git_config
from stithy_pulls.git.git_errors import DamagedCache, GitError, create_git_error
from stithy_pulls.git.git_process import GitOutput, StderrListener, run_git

if TYPE_CHECKING:
    from stithy_pulls.git.commit_log import CommitLine

MINIMUM_VERSION = (2, 38)
"""The first git version with `merge-tree --write-tree`."""

FATAL = 128
"""The exit status of git if it cannot answer."""

MOST_KEPT = 16 * 1024 * 1024
"""Bytes of all outputs that are kept together."""

OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""A full object id, SHA-1 or SHA-256."""


@frozen
class PathChange:
    """The last commit that changed a path: its SHA, author, time (ISO 8601) and subject."""

    sha: str
    author: str
    at: str
    subject: str


@define
class GitRepository:
    """A bare repository for reading.

    Args:
        program: The path of git.
        folder: The path of the repository.
        remote: The forge's repository, with its credentials.
        forge: The forge.
        seconds: How long a command may take.
        notes: What users should know of the way the repository was read.
        lazy: Whether git may fetch missing objects one by one, as a partial clone does.
        partial: Whether git fetches commits without their files.
        name: The repository on the forge, if the first fetch is announced.
        depth: How many commits behind each ref are fetched; 0 for the whole history.
        keeps_all: Whether the outputs of all commands are kept, not only of immutable ones.
        outputs: The outputs that are kept, by command and standard input.
        trees: The tree of each commit that was listed.
        present: The SHAs of commits that the cache is known to have.
        lines: Histories without merges that were listed.
    """

    program: str
    folder: Path
    remote: GitRemote = field(repr=False)
    forge: Forge = field(repr=False)
    seconds: float = 60
    notes: list[str] = Factory(list)
    lazy: bool = True
    partial: bool = True
    name: RepositoryRef | None = None
    depth: int = 0
    keeps_all: bool = False
    outputs: dict[tuple[tuple[str, ...], bytes], GitOutput] = field(init=False, factory=dict, repr=False, eq=False)
    trees: dict[str, str] = field(init=False, factory=dict, repr=False, eq=False)
    present: set[str] = field(init=False, factory=set, repr=False, eq=False)
    lines: "list[CommitLine]" = field(init=False, factory=list, repr=False, eq=False)
    _kept_bytes: int = field(init=False, default=0, repr=False, eq=False)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was fetched yet."""
        return not any((self.folder / "refs/heads").iterdir())

    def read_tip(self, label: str) -> str:
        """Return the SHA that was fetched under a label last; empty for none."""
        file = self.folder / "refs/heads" / label
        return file.read_text().strip() if file.is_file() else ""

    def copy_for_early_work(self) -> "GitRepository":
        """Return the same cache for work that is done before it is known whether refs move; nothing is fetched."""
        return evolve(self, notes=[], lazy=False, keeps_all=True)

    def adopt_outputs(self, early: "GitRepository") -> None:
        """Use the outputs of early work. No ref may have moved since it began."""
        self.outputs |= early.outputs

    def list_shallow(self) -> frozenset[str]:
        """Return the SHAs of the commits whose parents were not fetched; empty if the whole history was."""
        file = self.folder / "shallow"
        return frozenset(file.read_text().split()) if file.exists() else frozenset()

    async def open_other(self, repository: RepositoryRef) -> "GitRepository":
        """Return the same cache for fetching from another repository of the forge, such as a fork.

        Files that only the other repository has must be fetched with its commits, because missing files are fetched
        from the cache's own repository.

        Raises:
            GitError: The settings or the forge do not allow git to read it.
        """
        try:
            remote = await self.forge.changes.git(repository)
        except (ForgeError, Refused, Unsupported) as error:
            raise GitError(error.message, suggestion=error.suggestion) from error
        return evolve(self, remote=remote, partial=False)

    async def git(
        self,
        *words: str,
        stdin: bytes = b"",
        network: bool = False,
        allowed_codes: Iterable[int] = (0,),
        what: str = "",
        time_factor: int = 1,
        on_stderr: StderrListener | None = None,
        immutable: bool = False,
    ) -> GitOutput:
        """Run a git command.

        Args:
            words: The command.
            stdin: Its standard input.
            network: Whether it may fetch, including single objects that a partial clone lacks.
            allowed_codes: The exit statuses that are not an error.
            what: The task, for the error message.
            time_factor: How many times the usual limit it may take.
            on_stderr: Called with each piece of standard error.
            immutable: Whether the output depends on nothing but objects that are named by their ids. It is kept then,
                and a repetition starts no process.

        Raises:
            GitError: The command failed. `DamagedCache` if the repository itself cannot be read.
        """
        if (kept := self.outputs.get((words, stdin))) is not None:
            return kept
        settings = build_git_config(self.remote, lazy=network and self.lazy)
        environ = build_environment(settings, self.remote if network else None) | {"GIT_DIR": str(self.folder)}
        output = await run_git(
            [self.program, *words], environ, stdin=stdin, seconds=self.seconds * time_factor, on_stderr=on_stderr
        )
        if output.exit_code not in allowed_codes:
            raise create_git_error(what or words[0], output.exit_code, output.stderr)
        # git dies with 128 if a file is missing, which early work does not fetch; later work does
        if (immutable or self.keeps_all) and output.exit_code < FATAL:
            self._keep(words, stdin, output)
        return output

    def _keep(self, words: tuple[str, ...], stdin: bytes, output: GitOutput) -> None:
        size = len(output.stdout) + len(stdin)
        if self._kept_bytes + size <= MOST_KEPT:
            self.outputs[words, stdin] = output
            self._kept_bytes += size

    async def run_lines(self, *words: str, **options: object) -> Sequence[str]:
        """Return the NUL-terminated fields that a command prints with `-z`. Invalid UTF-8 is kept as surrogates."""
        output = await self.git(*words, **options)  # type: ignore[arg-type]
        return [line.decode(errors="surrogateescape") for line in output.stdout.split(b"\0")[:-1]]

    async def list_tips(self) -> dict[str, str]:
        """Return the SHA of each ref in the cache.

        Raises:
            DamagedCache: A commit is missing, for example because the clone that had it was deleted. git would try to
                fetch it, and fail again.
        """
        output = await self.git(
            "for-each-ref", "--format=%(objectname) %(objecttype) %(refname)", what="read its cache"
        )
        rows = [line.split(" ", 2) for line in output.stdout.decode(errors="surrogateescape").splitlines()]
        return {ref: sha for sha, _, ref in rows}

    async def read_objects(self, names: Iterable[str]) -> dict[str, bytes]:
        """Return the contents of objects by name: an id, or a file as `<tree>:<path>`.

        Missing ids are fetched at once. What is unavailable is omitted, and so is a file that is not in the cache.
        """
        wanted = list(dict.fromkeys(names))
        found = await self._read(wanted)
        if missing := [name for name in wanted if name not in found and OID.fullmatch(name)]:
            await self._fetch_objects(missing)
            found |= await self._read(missing)
        return found

    async def fetch_missing(self, oids: Iterable[str]) -> None:
        """Fetch all missing objects at once, without reading any."""
        kinds = await self.list_object_types(oids)
        if missing := [oid for oid, kind in kinds.items() if kind == "missing"]:
            await self._fetch_objects(missing)

    async def list_object_types(self, oids: Iterable[str]) -> dict[str, str]:
        """Return the type of each object: blob, tree, commit, tag, or `missing`."""
        stdin = "".join(f"{oid}\n" for oid in dict.fromkeys(oids)).encode()
        output = await self.git("cat-file", "--batch-check", stdin=stdin, what="find objects")
        rows = (line.split(" ") for line in output.stdout.decode(errors="replace").splitlines())
        return {row[0]: row[1] for row in rows}

    async def _read(self, names: Sequence[str]) -> dict[str, bytes]:
        """Read local objects without fetching: fetching them one by one would take too long."""
        if not names:
            return {}
        stdin = "".join(f"{name}\0" for name in names).encode(errors="surrogateescape")
        output = await self.git("cat-file", "--batch", "-z", stdin=stdin, what="read files")
        return _parse_batch(names, output.stdout)

    async def _fetch_objects(self, oids: Sequence[str]) -> None:
        """Fetch objects as git itself does for a partial clone, but all at once."""
        words = ("--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--filter=blob:none", "--stdin")
        command = ("-c", "fetch.negotiationAlgorithm=noop", "fetch", *words, "origin")
        try:
            stdin = "".join(f"{oid}\n" for oid in oids).encode()
            await self.git(*command, stdin=stdin, network=True, time_factor=10, what="fetch files")
        except DamagedCache:
            raise
        except GitError as error:
            self.notes.append(error.message)


def _parse_batch(names: Sequence[str], output: bytes) -> dict[str, bytes]:
    """Parse what git prints for each name: `<oid> <type> <size>`, the content and a line feed, or that it is missing.

    A name may contain line feeds.
    """
    found, at = {}, 0
    for name in names:
        missing = name.encode(errors="surrogateescape") + b" missing\n"
        if output.startswith(missing, at):
            at += len(missing)
            continue
        end = output.index(b"\n", at)
        size = output[at:end].rpartition(b" ")[2]
        at = end + 1
        if size.isdigit():  # git 2.51 prints `<oid> submodule`, without a content, for a submodule
            found[name] = output[at : at + int(size)]
            at += int(size) + 1
    return found
