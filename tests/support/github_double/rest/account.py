"""The token's user, its limits, and the server itself."""

from github_double.rest.people import show_account
from github_double.rest.routing import Call, Problem, Reply, endpoint, time

VERSION = "3.17.2"
COUNTS = ("public_repos", "public_gists", "followers", "following")
PRIVATE = ("private_gists", "total_private_repos", "owned_private_repos", "disk_usage", "collaborators")
PLACES = {
    "current_user": "/user",
    "current_user_authorizations_html": "/settings/connections/applications{/client_id}",
    "authorizations": "/authorizations",
    "code_search": "/search/code?q={query}{&page,per_page,sort,order}",
    "commit_search": "/search/commits?q={query}{&page,per_page,sort,order}",
    "emails": "/user/emails",
    "emojis": "/emojis",
    "events": "/events",
    "feeds": "/feeds",
    "followers": "/user/followers",
    "following": "/user/following{/target}",
    "gists": "/gists{/gist_id}",
    "issue_search": "/search/issues?q={query}{&page,per_page,sort,order}",
    "issues": "/issues",
    "keys": "/user/keys",
    "label_search": "/search/labels?q={query}&repository_id={repository_id}{&page,per_page}",
    "notifications": "/notifications",
    "organization": "/orgs/{org}",
    "organization_repositories": "/orgs/{org}/repos{?type,page,per_page,sort}",
    "organization_teams": "/orgs/{org}/teams",
    "public_gists": "/gists/public",
    "rate_limit": "/rate_limit",
    "repository": "/repos/{owner}/{repo}",
    "repository_search": "/search/repositories?q={query}{&page,per_page,sort,order}",
    "current_user_repositories": "/user/repos{?type,page,per_page,sort}",
    "starred": "/user/starred{/owner}{/repo}",
    "starred_gists": "/gists/starred",
    "user": "/users/{user}",
    "user_organizations": "/user/orgs",
    "user_repositories": "/users/{user}/repos{?type,page,per_page,sort}",
    "user_search": "/search/users?q={query}{&page,per_page,sort,order}",
}
UNSAID = ("company", "blog", "location", "email", "hireable", "bio", "twitter_username")


@endpoint("GET", "/user")
def me(call: Call) -> Reply:
    """Show the token's user, with what only that one sees where the scope `user` allows it."""
    if call.token is None:
        raise Problem(401, "Requires authentication")
    viewer = call.token.account
    if call.token.installed:
        raise Problem(403, "Resource not accessible by integration")
    times = {"created_at": time(viewer.created_at), "updated_at": time(viewer.created_at)}
    shown = show_account(call, viewer) | times | dict.fromkeys(COUNTS, 0) | dict.fromkeys(UNSAID)
    shown |= {"name": viewer.login.title()}
    if "user" in (call.token.scopes or ()):
        shown |= dict.fromkeys(PRIVATE, 0) | {"two_factor_authentication": True}
    return Reply(shown)


@endpoint("GET", "/")
def root(call: Call) -> Reply:
    """Show where everything is."""
    return Reply({f"{name}_url": call.api(path) for name, path in PLACES.items()})


@endpoint("GET", "/meta")
def meta(call: Call) -> Reply:
    """Show the server's version, which only an Enterprise Server tells here."""
    return Reply({"verifiable_password_authentication": True, "installed_version": VERSION})


@endpoint("GET", "/rate_limit")
def rate_limit(call: Call) -> Reply:
    """Show what is left; to ask is free."""
    return Reply({"resources": call.quota, "rate": call.quota["core"]})
