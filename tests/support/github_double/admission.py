"""Who is let in."""

from attrs import frozen

from github_double.apps import App
from github_double.records import Token
from github_double.rest.routing import Problem

VERSIONS = ("2022-11-28",)
SCHEMES = ("bearer", "token")
UNAUTHORISED = (
    "Resource protected by organization SAML enforcement. "
    "You must grant your Personal Access token access to this organization."
)


@frozen
class Admitted:
    """Who is let in: whoever has a token, an app that proved itself, or, with neither, anybody."""

    token: Token | None = None
    app: App | None = None


def admitted(world, asked):
    """Let a request in.

    Raises:
        Problem: GitHub would not let it in.
    """
    if not asked.headers.get("user-agent"):
        text = "Request forbidden by administrative rules. Please make sure your request has a User-Agent header"
        raise Problem(403, text)
    if asked.headers.get("x-github-api-version", VERSIONS[0]) not in VERSIONS:
        raise Problem(400, "The provided API version is not supported.")
    scheme, _, value = asked.identity.partition(" ")
    known = scheme.lower() in SCHEMES
    token, app = (world.tokens.get(value), world.proven(value)) if known else (None, None)
    ended = token is not None and token.expires_at is not None and token.expires_at <= world.now
    if ended or (scheme and token is None and app is None):
        raise Problem(401, "Bad credentials")
    return Admitted(token, app)


def is_closed(repository, token):
    """Say whether an organization with single sign-on shuts out a token that is not authorised for it."""
    return repository.owner.sign_on and repository.private and token is not None and not token.authorised


def sign_on(base, owner):
    """Give the header that says where to authorise a token."""
    return {
        "X-GitHub-SSO": f"required; url={base}/orgs/{owner.login}/sso?authorization_request=AZSCKtL4U8yX1H3sCQIVnVg"
    }
