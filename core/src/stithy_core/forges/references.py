"""What callers write for a repository or a pull request, and the forges of the settings: without any I/O.

Only a kind of forge knows how it writes names. So a text is parsed in two steps: `parse_repository` and
`parse_pull_request` split it, and `match_forge` compares it with a forge's URL and has its `ForgeNames` read the path.
"""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import unquote

from attrs import evolve, field, frozen

from stithy_core.errors import InvalidArguments, Refused
from stithy_core.spi import ForgeConfig, RepositoryRef
from stithy_core.spi.names import ForgeNames, NamedPlace, Segments, parse_number

_LONGEST = 4096
_SHOWN = 200

_ALIAS = re.compile(r"[A-Za-z0-9_-]+")  # TOML's bare keys: no dot, so that a host before a colon is told apart
_HOST = r"\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][A-Za-z0-9._-]*"
_AUTHORITY = re.compile(rf"({_HOST})(?::([0-9]{{0,5}}))?")
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+]*)://([^/?#]*)(?:/([^?#]*))?")
_SCP = re.compile(rf"(?:([^@/:]+)@)?({_HOST}):/?([^/].*)")
_UNREADABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # no file has such a name that JSON could carry

_WEB = {"https": "443", "http": "80"}
_PORTS = {**_WEB, "ssh": "22", "git+ssh": "22", "git": "9418"}
MARKS = ("#", "!")
_DEFAULT = ForgeNames()


@frozen(kw_only=True)
class ParsedReference:
    """What a caller wrote, taken apart: it has an alias, or a host, or neither. User info is gone.

    Args:
        path: The segments, decoded. After a host they are whole: a subpath may come first, pages may follow. In a short
            form, the last one may end with the mark and the number of a pull request.
        alias: The forge's name in the configuration.
        host: The host in lower case, with its port unless that is the scheme's own.
        scheme: The URL's scheme; "ssh" for the scp form, empty for a short form.
        of_pull_request: Whether a pull request is meant, and not a repository.
        local: Whether a directory would have been allowed, for errors.
        text: What was written, for errors; it may contain secrets.
    """

    path: Segments
    alias: str = ""
    host: str = ""
    scheme: str = ""
    of_pull_request: bool = False
    local: bool = field(default=True, eq=False)
    text: str = field(default="", eq=False, repr=False)


@frozen
class DirectoryReference:
    """A local directory, as it was written: `~` is not expanded, and a relative path stays relative."""

    path: Path


def parse_repository(text: str, *, local: bool = True) -> ParsedReference | DirectoryReference:
    """Split a repository: a short form such as `owner/repo`, after `alias:` or not, a URL, or a local directory.

    Args:
        text: What was written.
        local: Whether it may be a directory; it is not looked up here.

    Raises:
        InvalidArguments: It has none of these forms on any forge.
    """
    if _is_readable(text):
        if local and _is_directory(text):
            return DirectoryReference(Path(text))
        if (written := _parse_url(text) or _parse_scp(text) or _parse_short(text)) is not None:
            return evolve(written, text=text, local=local)
    raise _not_a_repository(text, _DEFAULT, local=local)


def parse_pull_request(text: str) -> ParsedReference:
    """Split a pull request: a short form such as `owner/repo#123`, after `alias:` or not, or its URL.

    Raises:
        InvalidArguments: It has none of these forms on any forge.
    """
    if _is_readable(text) and (written := _parse_url(text) or _parse_short(text)) is not None:
        return evolve(written, text=text, of_pull_request=True)
    raise _not_a_pull_request(text, _DEFAULT)


def is_number_alone(text: str) -> bool:
    """Return whether a text is the number of a pull request without a repository: `12`, `#12` or `!12`."""
    return parse_number(text[1:] if text[:1] in MARKS else text) is not None


def match_forge(written: ParsedReference, base_url: str, names: ForgeNames = _DEFAULT) -> NamedPlace | None:
    """Match a reference against a forge; None if it is outside of its URL, or names nothing of the wanted kind.

    A short form lies within every forge: its alias, or the working directory, decides. The scheme of a web URL does
    not matter. Of an SSH URL neither do the port and, since servers leave it out there, the subpath. A URL may lie
    within several forges of one host; of those the one with the longest subpath is meant.

    Args:
        written: The result of `parse_repository` or `parse_pull_request`.
        base_url: Where people find the forge, such as `https://git.example/sub`.
        names: How the forge writes names.

    Raises:
        TypeError: The forge's names returned something else than a place.
    """
    if not written.host:
        place = _match_short(written, names)
    elif written.scheme in _WEB:
        places = map(names.parse_path, list_paths_below(written, base_url, names))
        place = next((one for one in places if one is not None), None)
    else:
        place = None if written.of_pull_request else _match_remote(written, base_url, names)
    if place is not None and not isinstance(place, NamedPlace):
        raise TypeError(f"the path of {base_url} was parsed as {type(place).__name__}, not NamedPlace")
    if place is None or not _is_proper(place):
        return None
    return place if (place.pull_request if written.of_pull_request else place.repository) else None


def list_paths_below(written: ParsedReference, base_url: str, names: ForgeNames) -> Sequence[Segments]:
    """Return the paths after those of a forge's URLs that a reference is below; empty if it lies outside of all."""
    paths = []
    for base in _parse_urls(base_url, names):
        root = _list_segments(base)
        if written.path[: len(root)] == root and written.host == base.host:
            paths.append(written.path[len(root) :])
    return paths


def create_form_error(written: ParsedReference, base_url: str, names: ForgeNames = _DEFAULT) -> InvalidArguments:
    """Build the refusal of a reference that does not match a forge; it names the forge's own form.

    Args:
        written: The result of `parse_repository` or `parse_pull_request`.
        base_url: Where people find the forge.
        names: How the forge writes names.
    """
    if not written.of_pull_request:
        return _not_a_repository(written.text, names, local=written.local)
    explain = _explain_issue_url if written.host else _explain_mark
    return _not_a_pull_request(written.text, names, explain(written, base_url, names))


def escape_text(text: str) -> str:
    """Return a text for an error: at most 200 characters, with escapes for invisible ones."""
    start = text[: _SHOWN + 1]
    seen = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in start)
    return seen if len(seen) <= _SHOWN else seen[: _SHOWN - 1] + "…"


def _not_a_repository(text: str, names: ForgeNames, *, local: bool) -> InvalidArguments:
    others = "its URL, or a local directory" if local else "or its URL; over HTTP no local directory"
    allowed = f"{names.form}, alias:{names.form}, {others}"
    return _create_error(f"repository must be in format '{names.form}'", "repository", text, allowed)


def _not_a_pull_request(text: str, names: ForgeNames, reason: str = "") -> InvalidArguments:
    form = f"{names.form}{names.mark}123"
    example = names.parse_name(tuple(names.form.split("/")))
    page = f"{names.format_pull_request_path(names.create_pull_request_ref(example, 123))}, " if example else ""
    message = f"{names.pull_request} must be in format '{form}'{reason}"
    return _create_error(message, "pr", text, f"{form}, {page}alias:{form}, or its URL")


def _explain_issue_url(written: ParsedReference, base_url: str, names: ForgeNames) -> str:
    paths = list_paths_below(written, base_url, names) if names.numbers_apart else ()
    place = next(filter(None, map(names.parse_path, paths)), None)
    if place is None or not place.issue:
        return ""
    return f": the URL is that of issue {place.issue}, not of a {names.pull_request}"


def _explain_mark(written: ParsedReference, _: str, names: ForgeNames) -> str:
    """Name the right form of a number after another forge's mark; empty if there is none."""
    for mark in MARKS:
        place = None if mark == names.mark else _match_mark(written, names, mark)
        if place is not None and place.repository and place.pull_request and _is_proper(place):
            alias = f"{written.alias}:" if written.alias else ""
            right = escape_text(f"{alias}{names.create_pull_request_ref(place.repository, place.pull_request)}")
            why = f"; #{place.pull_request} is an issue" if names.numbers_apart and mark == "#" else ""
            return f": write '{right}' for {names.pull_request} {place.pull_request}{why}"
    return ""


NAME_IT = "Write owner/repo or the repository's URL, or start the server in a clone of it."


def create_place_error(message: str, suggestion: str = "") -> InvalidArguments:
    """Create the error for a repository that is not named and cannot be found."""
    problem = {"path": "repository", "given": "nothing", "allowed": "a repository's name or URL"}
    return InvalidArguments(message, suggestion=suggestion or NAME_IT, details={"errors": [problem]})


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
    segments = tuple(path.split("/"))
    return None if {"", ".", ".."} & set(segments) else ParsedReference(alias=alias, path=segments)


def _match_short(written: ParsedReference, names: ForgeNames) -> NamedPlace | None:
    if not written.of_pull_request:
        repository = names.parse_name(written.path)
        return None if repository is None else NamedPlace(repository=repository)
    if (marked := _match_mark(written, names, names.mark)) is not None:
        return marked
    *parents, digits = written.path
    for page in names.pull_request_pages:  # a repository may be called like a page, so its name is read first
        words = page.split("/")
        if parents[-len(words) :] == words and (place := _match_number(names, parents[: -len(words)], digits)):
            return place
    place = names.parse_path(written.path)
    return place if place is not None and digits == str(place.pull_request) else None


def _match_mark(written: ParsedReference, names: ForgeNames, mark: str) -> NamedPlace | None:
    """Match a short form that ends with a mark and a number."""
    *parents, last = written.path
    name, _, digits = last.rpartition(mark)
    return _match_number(names, [*parents, name], digits)


def _match_number(names: ForgeNames, path: Sequence[str], digits: str) -> NamedPlace | None:
    """Match a repository's name and the number after it."""
    number = parse_number(digits)
    repository = names.parse_name(tuple(path)) if number else None
    if repository is None:
        return None
    page = names.parse_path(tuple(path))
    if page is not None and page.pull_request and page.repository not in (None, repository):
        return None  # it has two numbers: owner/repo/pulls/1#2
    return NamedPlace(repository=repository, pull_request=number)


def _match_remote(written: ParsedReference, base_url: str, names: ForgeNames) -> NamedPlace | None:
    bases = _parse_urls(base_url, names)
    if not bases or _name_ssh_host(written) not in map(_name_ssh_host, bases):
        return None
    repository = names.parse_remote(written.path, _list_segments(bases[0]))
    return None if repository is None else NamedPlace(repository=repository)


def _is_proper(place: NamedPlace) -> bool:
    """Check what a forge's names returned: no name may lead elsewhere in a URL, or look like another one."""
    repository = place.repository
    if repository is None:
        return True
    parts = (*(repository.namespace.split("/") if repository.namespace else ()), repository.name)
    return all(map(_is_proper_segment, parts))


def _is_proper_segment(part: str) -> bool:
    is_plain = part.isprintable() and part == part.strip() and not {"/", "\\"} & set(part)
    return bool(part) and part not in {".", ".."} and is_plain


def _parse_host(scheme: str, authority: str) -> str | None:
    match = _AUTHORITY.fullmatch(authority)
    if not match:
        return None
    port = match[2].lstrip("0") if match[2] else ""
    return match[1].lower() + (f":{port}" if port and port != _PORTS[scheme] else "")


def _build_reference(scheme: str, host: str, path: str) -> ParsedReference | None:
    segments = tuple(unquote(segment) for segment in path.rstrip("/").split("/"))
    return None if {".", ".."} & set(segments) else ParsedReference(scheme=scheme, host=host, path=segments)


def _list_segments(base: ParsedReference) -> Segments:
    return tuple(filter(None, base.path))


def _name_ssh_host(url: ParsedReference) -> str:
    """Return the host without its port and `ssh.`, which tell SSH and web servers of one forge apart."""
    match = _AUTHORITY.fullmatch(url.host)
    return match[1].removeprefix("ssh.") if match else ""


def _parse_urls(base_url: str, names: ForgeNames) -> Sequence[ParsedReference]:
    """Parse a forge's own URL and its further ones; empty if the former is not valid."""
    base = _parse_url(base_url)
    if base is None:
        return ()
    return [base, *filter(None, map(_parse_url, names.list_other_urls(base_url)))]


@frozen(kw_only=True)
class ConfiguredForge:
    """A forge of the settings.

    Args:
        config: Its alias, kind and URL.
        repositories: Patterns of the repositories that tools may access; empty for all.
    """

    config: ForgeConfig
    repositories: tuple[str, ...] = ()

    def admit(self, repository: RepositoryRef) -> None:
        """Check that tools may access a repository.

        Raises:
            Refused: No pattern of the settings matches it.
        """
        # Forges ignore the case of names, so an allow-list must as well.
        name = str(repository).lower()
        if self.repositories and not any(fnmatchcase(name, pattern.lower()) for pattern in self.repositories):
            raise self.create_refusal(str(repository))

    def create_refusal(self, what: str) -> Refused:
        """Create the error for something that is in none of the repositories of the settings."""
        return Refused(
            f"{what} is not among the repositories that {self.config.alias} may touch here",
            suggestion=f"They are: {', '.join(self.repositories)}.",
        )
