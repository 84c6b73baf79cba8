"""The token's user, its limits, and the server itself."""

from github_double.rest.people import user
from github_double.rest.routing import Call, Problem, Reply, endpoint, time

VERSION = "3.17.2"
COUNTS = ("public_repos", "public_gists", "followers", "following")
PRIVATE = ("private_gists", "total_private_repos", "owned_private_repos", "disk_usage", "collaborators")
UNSAID = ("company", "blog", "location", "email", "hireable", "bio", "twitter_username")


@endpoint("GET", "/user")
def me(call: Call):
    """Show the token's user, with what only that one sees where the scope `user` allows it."""
    if call.viewer is None:
        raise Problem(401, "Requires authentication")
    times = {"created_at": time(call.viewer.created_at), "updated_at": time(call.viewer.created_at)}
    shown = user(call, call.viewer) | times | dict.fromkeys(COUNTS, 0) | dict.fromkeys(UNSAID)
    shown |= {"name": call.viewer.login.title()}
    if "user" in (call.scopes or ()):
        shown |= dict.fromkeys(PRIVATE, 0) | {"two_factor_authentication": True}
    return Reply(shown)


@endpoint("GET", "/meta")
def meta(call: Call):
    """Show the server's version, which only an Enterprise Server tells here."""
    return Reply({"verifiable_password_authentication": True, "installed_version": VERSION})


@endpoint("GET", "/rate_limit")
def rate_limit(call: Call):
    """Show what is left; to ask is free."""
    return Reply({"resources": call.quota, "rate": call.quota["core"]})
