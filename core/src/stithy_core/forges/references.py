"""Parse what callers write for a repository or a pull request: pure text, without any I/O.

Where a URL's subpath ends and the repository begins depends on the configured forges. So a URL is parsed in two steps:
`parse_repository` and `parse_pull_request` split it, and `match_forge` compares it with a forge's URL.
"""

import re
from pathlib import Path
from urllib.parse import unquote

from attrs import evolve, frozen

from stithy_core.errors import InvalidArguments
from stithy_core.model import RepositoryRef

_LONGEST = 4096
_SHOWN = 200
_LARGEST = 2**53 - 1  # beyond it, JSON readers lose digits

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_NUMBER = re.compile(r"[1-9][0-9]{0,15}")
_ALIAS = re.compile(r"[A-Za-z0-9_-]+")  # TOML's bare keys: no dot, so that a host before a colon is told apart
_HOST = r"\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][A-Za-z0-9._-]*"
_AUTHORITY = re.compile(rf"({_HOST})(?::([0-9]{{0,5}}))?")
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+]*)://([^/?#]*)(?:/([^?#]*))?")
_SCP = re.compile(rf"(?:([^@/:]+)@)?({_HOST}):/?([^/].*)")
_UNREADABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # no file has such a name that JSON could carry

_WEB = {"https": "443", "http": "80"}
_PORTS = {**_WEB, "ssh": "22", "git+ssh": "22", "git": "9418"}
REMOTE_FORMS = "owner/repo, alias:owner/repo, or its URL; over HTTP no local directory"
_PULLS = frozenset({"pull", "pulls"})
_PAGE_WORDS = """
    - _delete _diffpatch _edit _new _upload actions activity agents archive atom attachments attestations blame blob
    branches checks commit commits community compare contributors delete deployments discussions edit environments
    find forks graph graphs insights invitations issues labels lastcommit media milestone milestones models network new
    packages people pkgs projects pulse raw releases render rss rules runs search security settings src stargazers stars
    subscription suites tag tags tarball topics tree upload watchers wiki zipball
"""
_PAGES = _PULLS | frozenset(_PAGE_WORDS.split())

_Path = tuple[str, ...]


@frozen(kw_only=True)
class ParsedReference:
    """What a caller wrote, taken apart: it has an alias, or a host, or neither. User info is gone.

    Args:
        path: The segments, decoded, a final `.git` included. After a host they are whole: a subpath may come first,
            pages may follow. Of a pull request they end before the word that leads to its number.
        alias: The forge's name in the configuration.
        host: The host in lower case, with its port unless that is the scheme's own.
        number: The pull request's number; None for a repository.
        scheme: The URL's scheme; "ssh" for the scp form, empty for a short form.
    """

    path: _Path
    alias: str = ""
    host: str = ""
    number: int | None = None
    scheme: str = ""


@frozen
class DirectoryReference:
    """A local directory, as it was written: `~` is not expanded, and a relative path stays relative."""

    path: Path


def parse_repository(text: str, *, local: bool = True) -> ParsedReference | DirectoryReference:
    """Parse a repository: `owner/repo`, `alias:owner/repo`, any URL of it, its scp form, or a local directory.

    Args:
        text: What was written.
        local: Whether it may be a directory; it is not looked up here.

    Raises:
        InvalidArguments: It has none of these forms.
    """
    if _is_readable(text):
        if local and _is_directory(text):
            return DirectoryReference(Path(text))
        written = _parse_url(text) or _parse_scp(text) or _parse_short(text)
        if written is not None and _parse_name(_without_pages(written, written.path)) is not None:
            return written
    raise not_a_repository(text, local=local)


def parse_pull_request(text: str) -> ParsedReference:
    """Parse a pull request: `owner/repo#123`, `owner/repo/pulls/123`, either after `alias:`, or any URL of it.

    Raises:
        InvalidArguments: It has none of these forms.
    """
    if _is_readable(text):
        url = _parse_url(text)
        written = _parse_short_number(text) if url is None else _parse_web_number(url)
        if written is not None and _parse_name(written.path) is not None:
            return written
    raise not_a_pull_request(text)


def match_forge(written: ParsedReference, base_url: str) -> tuple[RepositoryRef, int | None] | None:
    """Match a reference against a forge's URL; None if it is outside of it or names no repository.

    A short form lies within every forge: its alias, or the working directory, decides. The scheme of a web URL does
    not matter. Of an SSH URL neither do the port and, since servers leave it out there, the subpath. A URL may lie
    within several forges of one host; of those the one with the longest subpath is meant.

    Args:
        written: The result of `parse_repository` or `parse_pull_request`.
        base_url: Where people find the forge, such as `https://git.example/sub`.
    """
    path = _path_below(written, base_url) if written.host else written.path
    if path is None:
        return None
    repository = _without_pages(written, path)
    if written.number is not None and repository != path:
        return None  # a file that lies at …/src/branch/main/pulls/1
    ref = _parse_name(repository)
    return None if ref is None else (ref, written.number)


def not_a_repository(text: str, *, local: bool = True) -> InvalidArguments:
    """Build the refusal of a text that names no repository."""
    allowed = "owner/repo, alias:owner/repo, its URL, or a local directory" if local else REMOTE_FORMS
    return _create_error("repository must be in format 'owner/repo'", "repository", text, allowed)


def not_a_pull_request(text: str) -> InvalidArguments:
    """Build the refusal of a text that names no pull request."""
    allowed = "owner/repo#123, owner/repo/pulls/123, alias:owner/repo#123, or its URL"
    return _create_error("pull request must be in format 'owner/repo#123'", "pr", text, allowed)


def escape_text(text: str) -> str:
    """Return a text for an error: at most 200 characters, with escapes for invisible ones."""
    start = text[: _SHOWN + 1]
    seen = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in start)
    return seen if len(seen) <= _SHOWN else seen[: _SHOWN - 1] + "…"


def _create_error(message: str, path: str, text: str, allowed: str) -> InvalidArguments:
    problem = {"path": path, "given": escape_text(_without_secrets(text)), "allowed": allowed}
    return InvalidArguments(message, suggestion=f"Write {allowed}.", details={"errors": [problem]})


def _without_secrets(text: str) -> str:
    """Remove what may be a secret. The text is malformed, so too much is removed rather than too little."""
    before, slashes, after = text.partition("://")
    if slashes:
        text = before.rpartition("@")[2] + slashes + after.rpartition("@")[2]
    else:
        user, _, rest = text.rpartition("@")
        text = rest if ":" in user or "/" not in user else text
    return text.partition("?")[0]


def _is_readable(text: str) -> bool:
    return len(text) <= _LONGEST and not _UNREADABLE.search(text)


def _is_directory(text: str) -> bool:
    if text == "." or text.startswith(("./", "~")):
        return True
    return Path(text).is_absolute() and not text.startswith("//")  # "//host/…" is a URL that lost its scheme


def _parse_url(text: str) -> ParsedReference | None:
    """Parse a URL; None if it is not one. urllib would drop line breaks silently, and quote the user info in errors."""
    if not (match := _URL.match(text)):
        return None
    scheme, authority, path = match[1].lower(), match[2].rpartition("@")[2], match[3] or ""
    host = _parse_host(scheme, authority) if scheme in _PORTS else None
    return None if host is None else _build_reference(scheme, host, path)


def _parse_scp(text: str) -> ParsedReference | None:
    match = _SCP.fullmatch(text)
    if not match or not (match[1] or "." in match[2] or match[2].startswith("[")):
        return None  # a bare word before the colon is an alias
    return _build_reference("ssh", match[2].lower(), match[3])


def _parse_short(text: str) -> ParsedReference | None:
    alias, colon, path = text.rpartition(":")
    if colon and not _ALIAS.fullmatch(alias):
        return None
    return ParsedReference(alias=alias, path=tuple(path.split("/")))


def _parse_short_number(text: str) -> ParsedReference | None:
    short, mark, digits = text.partition("#")
    written = _parse_short(short)
    if written is None:
        return None
    path, number, rest = _find_number(written.path)
    if mark:
        return evolve(written, number=_parse_number(digits)) if number is None and _parse_number(digits) else None
    return evolve(written, path=path, number=number) if number and not rest else None


def _parse_web_number(written: ParsedReference) -> ParsedReference | None:
    path, number, _ = _find_number(written.path)
    return evolve(written, path=path, number=number) if number and written.scheme in _WEB else None


def _parse_host(scheme: str, authority: str) -> str | None:
    match = _AUTHORITY.fullmatch(authority)
    if not match:
        return None
    port = match[2].lstrip("0") if match[2] else ""
    return match[1].lower() + (f":{port}" if port and port != _PORTS[scheme] else "")


def _build_reference(scheme: str, host: str, path: str) -> ParsedReference | None:
    segments = tuple(unquote(segment) for segment in path.rstrip("/").split("/"))
    return None if {".", ".."} & set(segments) else ParsedReference(scheme=scheme, host=host, path=segments)


def _find_number(path: _Path) -> tuple[_Path, int | None, _Path]:
    """Split at the first `pulls/123` that follows a repository."""
    for place in range(2, len(path) - 1):
        if path[place] in _PULLS and (number := _parse_number(path[place + 1])):
            return path[:place], number, path[place + 2 :]
    return path, None, ()


def _parse_number(digits: str) -> int | None:
    return int(digits) if _NUMBER.fullmatch(digits) and int(digits) <= _LARGEST else None


def _path_below(written: ParsedReference, base_url: str) -> _Path | None:
    """Return the path after the forge's URL; None if the host or the subpath differs."""
    base = _parse_url(base_url)
    if base is None:
        return None
    subpath = tuple(filter(None, base.path))
    inside = written.path[: len(subpath)] == subpath
    rest = written.path[len(subpath) :]
    if written.scheme in _WEB:
        return rest if inside and written.host == base.host else None
    if _strip_port(written.host).removeprefix("ssh.") != _strip_port(base.host).removeprefix("ssh."):
        return None
    return rest if inside and len(rest) > 1 else written.path


def _strip_port(host: str) -> str:
    match = _AUTHORITY.fullmatch(host)
    return match[1] if match else ""


def _without_pages(written: ParsedReference, path: _Path) -> _Path:
    """Cut the pages below a repository off a web URL; elsewhere a repository may be called `wiki`."""
    if written.scheme not in _WEB:
        return path
    return next((path[:place] for place in range(2, len(path)) if path[place] in _PAGES), path)


def _parse_name(path: _Path) -> RepositoryRef | None:
    if len(path) < 2:  # noqa: PLR2004 - an owner and a repository
        return None
    *namespace, name = *path[:-1], path[-1].removesuffix(".git")
    if not all(_NAME.fullmatch(part) and part not in {".", ".."} for part in (*namespace, name)):
        return None
    return RepositoryRef("/".join(namespace), name)
