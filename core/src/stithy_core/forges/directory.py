"""The git remotes of a local directory, which decide its forge.

A module of its own, since a start and most calls do not need it.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from stat import S_ISDIR
from subprocess import DEVNULL
from urllib.parse import quote, urlsplit

import anyio
from anyio.abc import ByteReceiveStream
from attrs import frozen

from stithy_core.errors import InvalidArguments
from stithy_core.forges.references import (
    ConfiguredForge,
    ParsedReference,
    create_place_error,
    escape_text,
    parse_repository,
)
from stithy_core.spi import RepositoryRef

_SECONDS = 5.0
_MOST_BYTES = 256 * 1024

_DIRECTORY_VARIABLES = {
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
}  # set inside a hook, they would override the directory
_GIT_ENVIRONMENT = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
_TRUST = "git config --global --add safe.directory"


@frozen
class Remote:
    """A remote on some server.

    Args:
        name: As git knows it.
        url: Its fetch URL without user info, for `parse_repository`; the scp form is written as an ssh:// URL.
    """

    name: str
    url: str


@frozen
class Clone:
    """A local repository.

    Args:
        remotes: Its remotes on known forges, each with its name, the forge and the repository there.
        hosts: The hosts of its other remotes.
    """

    remotes: Sequence[tuple[str, ConfiguredForge, RepositoryRef]]
    hosts: Sequence[str]

    def choose_repository(self, lacking: str) -> tuple[ConfiguredForge, RepositoryRef]:
        """Return the one repository of its remotes, of which it has at least one.

        Args:
            lacking: What the caller should have written, for errors.

        Raises:
            InvalidArguments: Its remotes are of several repositories.
        """
        found: dict[tuple[str, str], tuple[ConfiguredForge, RepositoryRef]] = {}
        for _, forge, one in self.remotes:
            found.setdefault((forge.config.alias, str(one).lower()), (forge, one))
        if len(found) == 1:
            return next(iter(found.values()))
        rows = [f"{forge.config.url}/{forge.config.names.format_repository_path(one)}" for forge, one in found.values()]
        names = ", ".join(name for name, _, _ in self.remotes)
        raise create_place_error(
            f"{lacking}; the remotes of the working directory ({names}) are of several repositories",
            f"Name one of them: {', '.join(rows)}",
        )


@frozen
class _Answer:
    code: int | None
    out: str
    errors: str
    whole: bool


async def list_remotes(path: Path) -> Sequence[Remote]:
    """Return the git remotes of the repository that a directory is in; remotes on this machine are left out.

    Git itself is run, since it resolves worktrees, submodules and `url.….insteadOf`.

    Args:
        path: The directory; `~` is expanded, and a relative path starts at the server's working directory.

    Raises:
        InvalidArguments: The directory does not exist or is in no repository, or git fails.
    """
    directory = await _resolve_directory(path)
    try:
        with anyio.fail_after(_SECONDS):
            answer = await _run_git(directory)
    except TimeoutError:
        raise _create_error(path, f"git did not answer within {_SECONDS:g} seconds") from None
    except OSError as error:
        raise _create_error(
            path, f"git cannot be started: {error.strerror}", "Install git, or pass owner/repo."
        ) from error
    if answer.code or not answer.whole:
        raise _explain_failure(path, answer)
    return tuple(_parse_remotes(answer.out))


def sort_remotes(remotes: Sequence[Remote]) -> Sequence[Remote]:
    """Return remotes in the order to try them: `origin`, then the others by name."""
    return sorted(remotes, key=lambda remote: (remote.name != "origin", remote.name))


def propose_forge(host: str, kinds: Sequence[str]) -> str:
    """Return the settings that would make the host of a remote a known forge, as a suggestion.

    Args:
        host: The host, with a port that need not be that of the forge's web pages.
        kinds: The kinds of forges that are installed.
    """
    bare = urlsplit(f"//{host}").hostname or host
    likely = [kind for kind in kinds if kind in bare] or kinds
    alias = "-".join(bare.split(".")[-2:-1]) or bare
    table = f'[forges.{alias}] with kind = "{"|".join(likely)}", url = "https://{bare}"'
    return f"For {host}, run: stithy init --forge https://{bare}; or add to stithy.toml: {table}."


async def _resolve_directory(path: Path) -> Path:
    try:
        directory = await (await anyio.Path(path).expanduser()).absolute()
        mode = (await directory.stat()).st_mode
    except RuntimeError:  # of `expanduser`
        raise _create_error(path, "cannot be opened: ~ names an account that is not there") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL or a surrogate in it
        reason = error.strerror if isinstance(error, OSError) else None
        raise _create_error(path, f"cannot be opened: {reason or 'invalid path'}") from None
    if not S_ISDIR(mode):
        raise _create_error(path, "is not a directory")
    return Path(directory)


async def _run_git(directory: Path) -> _Answer:
    """Run git without a shell. This command runs no program that the repository's configuration names."""
    command = ["git", "--no-pager", "-c", "core.fsmonitor=false", "-C", str(directory), "remote", "-v"]
    environment = {
        name: value for name, value in os.environ.items() if name not in _DIRECTORY_VARIABLES
    } | _GIT_ENVIRONMENT
    out, errors = bytearray(), bytearray()
    async with await anyio.open_process(command, stdin=DEVNULL, env=environment) as process:
        async with anyio.create_task_group() as group:
            group.start_soon(_drain, process.stdout, out)
            group.start_soon(_drain, process.stderr, errors)
        code = await process.wait()
    return _Answer(code, out.decode(errors="replace"), errors.decode(errors="replace"), len(out) < _MOST_BYTES)


async def _drain(stream: ByteReceiveStream | None, kept: bytearray) -> None:
    """Read to the end, or git would wait for a reader; keep only as much as is allowed."""
    assert stream is not None
    async for chunk in stream:
        kept += chunk[: _MOST_BYTES - len(kept)]


def _parse_remotes(out: str) -> Iterator[Remote]:
    """Read lines such as `origin<TAB>https://git.example/o/r.git (fetch)`; a partial clone appends its filter."""
    for line in out.split("\n"):
        name, _, rest = line.partition("\t")
        url, fetch, appended = rest.rpartition(" (fetch)")
        if fetch and (not appended or appended.startswith(" [")) and (written := _parse_remote_url(url)) is not None:
            path = "/".join(quote(segment, safe="") for segment in written.path)
            yield Remote(name, f"{written.scheme}://{written.host}/{path}")


def _parse_remote_url(url: str) -> ParsedReference | None:
    """Parse a remote's URL as git does: without a scheme, the text before the first colon is a host."""
    host, colon, rest = url.partition(":")
    if not colon or "/" in host or rest.startswith(":"):
        return None  # a path on this machine, or the program of a remote helper: ext::sh
    try:
        written = parse_repository(url if "@" in host or "://" in url else f"git@{url}")
    except InvalidArguments:
        return None
    return written if isinstance(written, ParsedReference) and written.host else None


def _explain_failure(path: Path, answer: _Answer) -> InvalidArguments:
    if not answer.whole:
        return _create_error(path, "its remotes are too many to read", "Write owner/repo.")
    if "not a git repository" in answer.errors:
        return _create_error(path, "is not inside a git repository")
    lines = answer.errors.strip().split("\n")
    if "dubious ownership" in answer.errors:
        trust = lines[-1].strip() if _TRUST in lines[-1] else f"{_TRUST} {path}"
        reason = "git refuses it, because it belongs to another user"
        return _create_error(path, reason, f"If you trust what is in it: {escape_text(trust)}")
    return _create_error(path, f"git cannot read it: {escape_text(lines[0])}")


def _create_error(path: Path, reason: str, suggestion: str = "") -> InvalidArguments:
    given = escape_text(str(path))
    listed = {"path": "directory", "given": given, "allowed": "a directory inside a git repository"}
    return InvalidArguments(f"{given}: {reason}", suggestion=suggestion, details={"errors": [listed]})
