"""How a kind of forge works: its API's errors, pages and authorization, its code owners, and where tokens are found."""

import logging
import os
import re
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio.to_thread
from attrs import Factory, field, frozen

from stithy_core.errors import ConfigError, ForgeError, StithyError, Unauthorized
from stithy_core.spi.operation_checks import check_answers

if TYPE_CHECKING:
    from stithy_core.spi.forge import ForgeConfig, Http


AUTHORIZATION = "Authorization"
BASIC = "Basic"

Authorization = Callable[["Token"], Mapping[str, str]]
"""Returns the headers that carry a token, by name. They are secret."""


def token_header(name: str = AUTHORIZATION, scheme: str = "") -> Authorization:
    """Return an authorization that sends the token in one header.

    Args:
        name: The header: `PRIVATE-TOKEN` or `JOB-TOKEN` for GitLab.
        scheme: The word before the token: `token` for Gitea; none by default.
    """
    prefix = f"{scheme} " if scheme else ""
    return lambda token: {name: f"{prefix}{token.value}"}


bearer = token_header(scheme="Bearer")
"""Send the token as `Authorization: Bearer TOKEN` (RFC 6750)."""


def basic(token: "Token", user: str | None = None) -> Mapping[str, str]:
    """Send the token as `Authorization: Basic …` (RFC 7617).

    Args:
        token: Its value is `user:secret`, or the secret alone if `user` is set.
        user: The user of a token that has none; "" for a forge that expects none. None requires one in the token.

    Raises:
        ConfigError: The token has no user, and this forge needs one.
    """
    pair = token.value
    if ":" not in pair:  # RFC 7617 allows none in a user
        if user is None:
            raise ConfigError(
                f"the token of {token.source} has no user",
                suggestion="This forge expects a user and a secret: set the token to USER:SECRET.",
            )
        pair = f"{user}:{pair}"
    return {AUTHORIZATION: f"{BASIC} {b64encode(pair.encode()).decode()}"}


def split_basic(headers: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the user and the secret of headers that `basic` made; None for headers of another scheme."""
    scheme, _, encoded = headers.get(AUTHORIZATION, "").partition(" ")
    if scheme != BASIC:
        return None
    user, _, secret = b64decode(encoded).decode().partition(":")
    return user, secret


MOST_DIGITS = 18
"""Digits of a count; a longer number is a fault of the server."""
LINK = re.compile(r'<([^<>]*)>((?:[^,"<]|"(?:[^"\\]|\\.)*")*)')
LINK_PARAMETER = re.compile(r';\s*([\w!#$&+.^`|~*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))')


@frozen(kw_only=True)
class PageResponse:
    """One page of a list, as the forge answered it.

    Args:
        number: The number of the page, from 1 on.
        items: Its items.
        read: The number of items that were read so far, including these.
        size: The number of items of a full page; 0 if it is not known.
        headers: The headers, with names in lower case.
        body: The parsed JSON that holds the items.
    """

    number: int = 1
    items: Sequence[Any] = ()
    read: int = 0
    size: int = 0
    headers: Mapping[str, str] = Factory(dict)
    body: Any = None


@frozen(kw_only=True)
class NextPage:
    """Where the next page is.

    Args:
        url: Its URL, which may be relative to that of this page. Another host, and a path outside of the API, are
            refused. By default the same path with the same parameters.
        query: Parameters that are added to it, or replaced in it.
    """

    url: str = ""
    query: Mapping[str, str | int] = Factory(dict)


def increment_page(page: PageResponse) -> NextPage | None:
    """Return the page of the next number, by the parameter `page`; None after a page that is empty or not full."""
    is_last = not page.items or len(page.items) < page.size
    return None if is_last else NextPage(query={"page": page.number + 1})


def follow_link_header(page: PageResponse) -> NextPage | None:
    """Return the page that the header `Link` names with `rel="next"` (RFC 8288); None without one."""
    url = find_link(page.headers, "next")
    return NextPage(url=url) if url else None


def find_link(headers: Mapping[str, str], relation: str) -> str:
    """Return the URL that the header `Link` names with a relation (RFC 8288); empty without one."""
    for link in LINK.finditer(headers.get("link", "")):
        parameters = reversed(LINK_PARAMETER.findall(link[2]))  # of a parameter that is repeated, the first counts
        relations = {name.lower(): quoted or plain for name, quoted, plain in parameters}.get("rel", "")
        if link[1] and relation in relations.lower().split():
            return link[1]
    return ""


def parse_count(value: object) -> int | None:
    """Return a number of items from a header or from JSON; None if it is not a whole number from 0 on."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= MOST_DIGITS:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def read_total(page: PageResponse) -> int | None:
    """Return the total in the header `X-Total-Count`, or in the field `total_count` beside the items."""
    in_body = page.body.get("total_count") if isinstance(page.body, dict) else None
    return parse_count(page.headers.get("x-total-count", in_body))


def no_gaps(page: PageResponse) -> str:  # noqa: ARG001 -- a list without gaps needs no page for this
    """Return an empty reason: the list is complete."""
    return ""


@frozen(kw_only=True)
class Paging:
    """How a forge cuts lists into pages.

    Args:
        next_page: Returns where the next page is; None after the last one. `increment_page`, `follow_link_header`, or
            a function of the forge.
        total: Returns the number of items on all pages; None if the forge does not report it reliably.
        gaps: Returns why items are missing; empty if none are. It becomes the listing's `cut`.
        size: The query parameter for the number of items per page.
        first: The parameters of the first page; by default `page=1` for `increment_page`, and none for others.
    """

    next_page: Callable[[PageResponse], NextPage | None] = increment_page
    total: Callable[[PageResponse], int | None] = read_total
    gaps: Callable[[PageResponse], str] = no_gaps
    size: str = "limit"
    first: Mapping[str, str | int] = field()

    @first.default
    def _number_first_page(self) -> Mapping[str, str | int]:
        return {"page": 1} if self.next_page is increment_page else {}


@frozen(kw_only=True)
class ErrorResponse:
    """A response that reports an error.

    Args:
        status: The HTTP status; 200 for errors of GraphQL.
        message: The forge's message (`Dialect.message`), cut to a few hundred characters.
        headers: The headers, with names in lower case.
        body: The parsed JSON; None if the body was not JSON.
        writing: Whether the request was a write.
    """

    status: int
    message: str
    headers: Mapping[str, str]
    body: Any
    writing: bool


def by_status(response: ErrorResponse) -> ForgeError | None:  # noqa: ARG001 -- the status says all
    """Return None, so that the HTTP status decides the error."""
    return None


def read_message(body: Any) -> str:
    """Return the field `message` of the body of an error, or a plain text; empty without either.

    Args:
        body: The parsed JSON; a `text/plain` body as its text; None for any other body.
    """
    if isinstance(body, str):
        return body.strip()
    return str(body.get("message") or "") if isinstance(body, dict) else ""


@frozen(kw_only=True)
class RateLimits:
    """The rate limits of a forge that its responses do not report; None where a limit is unknown.

    Args:
        concurrent: The maximum number of requests at the same time.
        points: Points per minute; a read costs one, a write `write_points`.
        writes: Writes per minute.
        write_points: The points that a write costs.
        free: API paths that do not count, such as the one that reports the limits.
    """

    concurrent: int = 16
    points: int | None = None
    writes: int | None = None
    write_points: int = 5
    free: tuple[str, ...] = ()


@frozen(kw_only=True)
class Dialect:
    """How the API of a forge works.

    Args:
        api: Returns the URL of the REST API for the forge's URL, without a trailing slash.
        graphql: Returns the URL of the GraphQL API for the forge's URL; None if the forge has none.
        headers: Sent with every request, beside the token.
        authorization: Returns the headers that carry a token, which are secret: `bearer`, `basic`, `token_header(…)`,
            or a function that chooses between them by the token.
        decode: Returns the JSON of a body, such as one behind a prefix against scripts. It is applied to the JSON of
            answers and errors, never to streams.
        paging: How lists are cut into pages.
        message: Returns what the body of an error says to people. It gets the parsed JSON, the text of a `text/plain`
            body, or None. By default it is the field `message`, or the text.
        map_error: Returns the error that a response means; None leaves it to the status. Missing `details` (forge,
            status, message) and `retry_after` are added. It also gets web pages with a status of success, and
            redirects, both without a body: `Unauthorized` means a sign-in page in place of 401, and counts as one.
        rate_limits: The limits that responses do not report.
    """

    api: Callable[[str], str] = str
    graphql: Callable[[str], str] | None = None
    headers: Mapping[str, str] = Factory(dict)
    authorization: Authorization = bearer
    decode: Callable[[bytes], bytes] = bytes
    paging: Paging = Factory(Paging)
    message: Callable[[Any], str] = read_message
    map_error: Callable[[ErrorResponse], ForgeError | None] = by_status
    rate_limits: RateLimits = RateLimits()


@frozen(kw_only=True)
class OwnersFile:
    """Where a forge expects the file of code owners, and how it reads it.

    Args:
        places: The possible paths; the first that exists counts.
        of_default: Whether it is read from the repository's default branch, instead of a pull request's base.
        expressions: Whether its patterns are regular expressions for whole paths, all of which count, where `!` is for
            every file that does not match. Otherwise they are as in gitignore, and the last one that matches counts.
        sections: Whether lines such as `[Name][2] @owner` begin sections, in each of which the last matching pattern
            counts, as on GitLab. A pattern without a slash at its start then matches at any depth.
    """

    places: tuple[str, ...] = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
    of_default: bool = False
    expressions: bool = False
    sections: bool = False


SECONDS = 10
PORTS = {"https": 443, "http": 80}
NON_INTERACTIVE_GIT = {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "GCM_INTERACTIVE": "never"}
HEADER_VALUE = re.compile(r"[\x21-\x7e]+")

log = logging.getLogger("stithy.http")


@frozen(kw_only=True)
class Token:
    """A token of a forge.

    Args:
        value: The secret; `user:secret` for a forge that expects a user beside it (`basic`).
        source: Its source for messages, which never show the value: `gh auth token`.
        expires_at: When it expires, if that is known; it is renewed some minutes before.
        kept: False for a token that is read as fast as a file: it is read before each request, so that a renewed one
            is used at once.
        account: A key that stays the same when the token is renewed, such as the installation of an app; empty if the
            value alone identifies the account.
    """

    value: str = field(repr=False)
    source: str
    expires_at: datetime | None = None
    kept: bool = True
    account: str = ""


@frozen(kw_only=True)
class AppKey:
    """The credentials of an app.

    Args:
        app: The app's id.
        private_key: Its private key, as PEM.
        installation: The id of its installation; empty if it is not known.
    """

    app: str
    private_key: str = field(repr=False)
    installation: str = ""


class Credentials:
    """Finds the tokens of a kind of forge. The core keeps a token, and finds another one when the forge refuses it.

    Args:
        config: The forge that the token is for; a token of another host must never be returned.
        environ: The environment.
        connect: Creates a client of the forge with another token. It is closed after `find` or `exchange`.
    """

    def __init__(self, config: "ForgeConfig", environ: Mapping[str, str], connect: "Callable[[Token], Http]") -> None:
        self.config = config
        self.environ = environ
        self.connect = connect

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "exchange" in vars(cls):
            setattr(cls, "exchange", check_answers(cls.exchange, Credentials.exchange))  # noqa: B010 -- mypy: a method

    async def find(self) -> Token | None:
        """Return a token from the usual places of this kind of forge; None means public data only."""
        return None

    async def exchange(self, key: AppKey) -> Token:
        """Exchange an app's key for a token; the core renews it before it expires.

        Raises:
            ConfigError: This kind of forge has no apps, or the key is invalid.
        """
        raise ConfigError(
            f"forges of the kind {self.config.kind!r} have no apps",
            suggestion=f"Set a token for [forges.{self.config.alias}] from a variable, a file or a command.",
            details={"app": key.app},
        )

    def variable(self, *names: str) -> Token | None:
        """Return the token of the first of these environment variables that is set and not empty."""
        name = next((name for name in names if self.environ.get(name)), "")
        return Token(value=self.environ[name], source=f"the variable {name}", kept=False) if name else None

    def is_at(self, url: str) -> bool:
        """Return whether a URL is this forge's: the same scheme, host, port and path."""
        place = _place(url)
        return place is not None and place == _place(self.config.url)

    def is_private(self) -> bool:
        """Return whether the connection is private: https, or this machine."""
        scheme, host, _, _ = _place(self.config.url) or ("", "", 0, "")
        return scheme == "https" or _is_loopback(host)

    def read_config(self, places: Sequence[tuple[str, str]], parse: Callable[[str], Any]) -> Mapping[str, Any]:
        """Return what another program's configuration holds; empty if it is missing, malformed or no mapping.

        Args:
            places: Where the file may be: a variable with a folder, and the path below it. The first existing counts.
            parse: Parses its text. It may raise any error.
        """
        paths = [Path(self.environ[variable], below) for variable, below in places if self.environ.get(variable)]
        path = next((path for path in paths if os.path.isfile(path)), None)  # noqa: PTH113 -- this one never raises
        try:
            found = parse(path.read_text("utf-8")) if path else None
        except Exception:  # noqa: BLE001 -- a parser has errors of its own; a text may quote a token, so none is shown
            return {}
        return found if isinstance(found, Mapping) else {}

    async def ask_git(self, endpoint: str) -> Token | None:
        """Return the password that git's credential helper has for this forge, if the forge accepts it as a token.

        Args:
            endpoint: The URL of a read that needs a token.
        """
        if not self.is_private():
            return None
        parts = urlsplit(self.config.url)
        path = f"path={parts.path.strip('/')}\n" if parts.path.strip("/") else ""
        printed = await self.ask(
            *("git", "-c", "credential.interactive=false", "credential", "fill"),
            given=f"protocol={parts.scheme}\nhost={parts.netloc}\n{path}\n",
            environ={**self.environ, **NON_INTERACTIVE_GIT},
        )
        fields = dict(line.partition("=")[::2] for line in printed.splitlines())
        token = Token(value=fields.get("password", ""), source="git credential helper")
        return token if HEADER_VALUE.fullmatch(token.value) and await self._is_accepted(token, endpoint) else None

    async def _is_accepted(self, token: Token, endpoint: str) -> bool:
        """Return whether the forge accepts a token: a helper may hold the account's password instead."""
        try:
            await self.connect(token).get(endpoint)
        except Unauthorized:
            log.warning("the password in git's credential helper for %s is not a token of the forge", self.config.url)
            return False
        except StithyError:  # which says nothing about the token; the forge will repeat it
            return True
        return True

    async def ask(self, *command: str, given: str = "", environ: Mapping[str, str] | None = None) -> str:
        """Run a program that may print a token, and return its output.

        It has ten seconds and no terminal for questions. Its standard error is dropped, since that may quote a token.
        The output is empty if the program is missing, fails or takes too long.

        Args:
            command: The program and its arguments; it is run without a shell, outside of any repository.
            given: Its standard input.
            environ: Its environment; `self.environ` by default.
        """
        run = partial(_run_command, command, given.encode(), dict(self.environ if environ is None else environ))
        return await anyio.to_thread.run_sync(run, abandon_on_cancel=True)


def _run_command(command: tuple[str, ...], given: bytes, environ: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(  # noqa: S603 -- a plugin's own command, without a shell
            command,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=True,
            env=environ,
            cwd=os.sep,  # a repository's own configuration could name programs
            start_new_session=True,  # without a terminal
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode(errors="replace")


def _place(url: str) -> tuple[str, str, int, str] | None:
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port, parts.path.rstrip("/")) if parts.hostname else None


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
