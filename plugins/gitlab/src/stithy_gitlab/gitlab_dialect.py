"""How GitLab's API answers: authorization, pages and errors (docs/forge-behaviour/gitlab.md)."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from stithy_core.spi import (
    Dialect,
    ErrorResponse,
    Forbidden,
    ForgeError,
    Moved,
    NextPage,
    PageResponse,
    Paging,
    Token,
    Unauthorized,
    bearer,
    follow_link_header,
    parse_count,
    token_header,
)
from stithy_gitlab import API

JOB_VARIABLE = "CI_JOB_TOKEN"
JOB_PREFIX = "glcbt-"
FORBIDDEN, OTHER_METHOD = 403, 405
MOVED = "moved project"
SIGN_IN = "/users/sign_in"


def is_job_token(token: Token) -> bool:
    """Return whether a token is that of a CI job, which has a header of its own and reaches few endpoints."""
    return token.value.startswith(JOB_PREFIX) or token.source.endswith(JOB_VARIABLE)


def authorize(token: Token) -> Mapping[str, str]:
    """Return the header of a token: personal, project, group and OAuth tokens are all accepted as bearer tokens."""
    return token_header("JOB-TOKEN")(token) if is_job_token(token) else bearer(token)


def choose_git_user(token: Token) -> str:
    """Return the user name that git needs beside a token."""
    return "gitlab-ci-token" if is_job_token(token) else "oauth2"


def find_next_page(page: PageResponse) -> NextPage | None:
    """Return the next page: its number is in `X-Next-Page`; lists in keyset order have only a link.

    The link names the host that the server is configured with, which need not be the one that was asked: so only its
    parameters are used, on the URL of this list. A short page is not the last: rows that the token may not see are
    removed after the list was cut.
    """
    if number := page.headers.get("x-next-page"):
        return NextPage(query={"page": number})
    if "x-page" in page.headers or (link := follow_link_header(page)) is None:
        return None
    return NextPage(query=dict(parse_qsl(urlsplit(link.url).query)))


def read_total(page: PageResponse) -> int | None:
    """Return the number of rows; the header is missing for more than 10,000 and in keyset order."""
    return parse_count(page.headers.get("x-total"))


def read_message(body: Any) -> str:
    """Return the message of an error, whose field is a text, a list, or lists by field; OAuth's errors have two."""
    if isinstance(body, str):
        return body.strip()
    if not isinstance(body, dict):
        return ""
    said = body.get("message") or body.get("error_description") or body.get("error")
    return "; ".join(_flatten(said))


def _flatten(said: Any) -> list[str]:
    if isinstance(said, Mapping):
        lines = {str(name): "; ".join(_flatten(value)) for name, value in said.items()}
        return [text if name in {"base", "error"} else f"{name}: {text}" for name, text in lines.items()]
    if isinstance(said, list):
        return [line for one in said for line in _flatten(one)]
    return [] if said is None else [str(said)]


def map_error(response: ErrorResponse) -> ForgeError | None:
    """Return the error of a missing scope, a moved project or a sign-in page; None for others."""
    body = response.body if isinstance(response.body, dict) else {}
    if response.status == FORBIDDEN and str(body.get("error", "")).startswith("insufficient_"):
        return _explain_scope(response, body)
    if response.status == OTHER_METHOD and MOVED in response.message:
        text = "the project has another name now; nothing was written"
        return Moved(text, suggestion="Read the project: it has its current name. Then repeat the call with that.")
    if SIGN_IN in response.headers.get("location", ""):
        return Unauthorized("the server redirects to its sign-in page", suggestion="Configure a token for this forge.")
    return None


def _explain_scope(response: ErrorResponse, body: Mapping[str, Any]) -> Forbidden:
    needed = " or ".join(str(body.get("scope") or "").split()) or ("api" if response.writing else "read_api or api")
    text = f"the server answered {response.status} {body['error']}: {response.message}"
    return Forbidden(text, suggestion=f"The token needs the scope {needed}. Create one with it in GitLab.")


DIALECT = Dialect(
    api=lambda url: f"{url}{API}",
    graphql=lambda url: f"{url}/api/graphql",
    authorization=authorize,
    paging=Paging(next_page=find_next_page, total=read_total, size="per_page"),
    message=read_message,
    map_error=map_error,
)
