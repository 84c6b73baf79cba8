"""Admission of requests: tokens, apps and organizations with single sign-on."""

from attrs import frozen

from github_double.apps import App
from github_double.records import Account, Repository, Token
from github_double.requests import Request
from github_double.rest.routing import Problem
from github_double.world import World

VERSIONS = ("2022-11-28",)
SCHEMES = ("bearer", "token")
UNAUTHORISED = (
    "Resource protected by organization SAML enforcement. "
    "You must grant your Personal Access token access to this organization."
)


@frozen
class Admitted:
    """The identity of an admitted request: a token, an app, or neither for an anonymous one."""

    token: Token | None = None
    app: App | None = None


def admit(world: World, asked: Request) -> Admitted:
    """Check a request's headers and credentials, and return its identity.

    Raises:
        Problem: GitHub would refuse the request.
    """
    if not asked.headers.get("user-agent"):
        text = "Request forbidden by administrative rules. Please make sure your request has a User-Agent header"
        raise Problem(403, text)
    if asked.headers.get("x-github-api-version", VERSIONS[0]) not in VERSIONS:
        raise Problem(400, "The provided API version is not supported.")
    scheme, _, value = asked.identity.partition(" ")
    known = scheme.lower() in SCHEMES
    token, app = (world.tokens.get(value), world.find_app(value)) if known else (None, None)
    ended = token is not None and token.expires_at is not None and token.expires_at <= world.now
    if ended or (scheme and token is None and app is None):
        raise Problem(401, "Bad credentials")
    return Admitted(token, app)


def is_closed(repository: Repository, token: Token | None) -> bool:
    """Return whether an organization with single sign-on refuses a token that is not authorised for it."""
    return repository.owner.sign_on and repository.private and token is not None and not token.authorised


def make_sign_on_header(base: str, owner: Account) -> dict[str, str]:
    """Return the header with the page that authorises a token."""
    return {
        "X-GitHub-SSO": f"required; url={base}/orgs/{owner.login}/sso?authorization_request=AZSCKtL4U8yX1H3sCQIVnVg"
    }
