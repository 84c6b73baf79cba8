"""Who is let in."""

from github_double.rest.routing import Problem

VERSIONS = ("2022-11-28",)
SCHEMES = ("bearer", "token")


def admitted(world, asked):
    """Let a request in, and give its token; None where it has none.

    Raises:
        Problem: GitHub would not let it in.
    """
    if not asked.headers.get("user-agent"):
        text = "Request forbidden by administrative rules. Please make sure your request has a User-Agent header"
        raise Problem(403, text)
    if asked.headers.get("x-github-api-version", VERSIONS[0]) not in VERSIONS:
        raise Problem(400, "The provided API version is not supported.")
    scheme, _, value = asked.identity.partition(" ")
    token = world.tokens.get(value) if scheme.lower() in SCHEMES else None
    if scheme and token is None:
        raise Problem(401, "Bad credentials")
    return token
