"""Accounts, teams and apps, as REST shows them."""

from typing import Any

from github_double.checks import app_of
from github_double.records import BOT, Account, Repository
from github_double.rest.routing import Call, node, time
from github_double.store import START

PREFIXES = {"User": "U", BOT: "BOT", "Organization": "O"}
LINKS = ("followers", "subscriptions", "organizations", "repos", "received_events")
TEMPLATES = {"following": "{/other_user}", "gists": "{/gist_id}", "starred": "{/owner}{/repo}", "events": "{/privacy}"}
GHOST = Account(login="ghost", id=10137, created_at=START)


def login_of(account: Account) -> str:
    return f"{account.login}[bot]" if account.kind == BOT else account.login


def user(call: Call, account: Account | None) -> dict[str, Any] | None:
    """Show an account; None for one that was deleted."""
    return _show(call, account) if account else None


def _show(call: Call, account: Account) -> dict[str, Any]:
    url = call.api(f"/users/{login_of(account)}")
    page = call.html(f"/apps/{account.login}" if account.kind == BOT else f"/{account.login}")
    links = {f"{name}_url": f"{url}/{name}" for name in LINKS}
    templates = {f"{name}_url": f"{url}/{name}{template}" for name, template in TEMPLATES.items()}
    return (
        links
        | templates
        | {
            "login": login_of(account),
            "id": account.id,
            "node_id": node(PREFIXES[account.kind], account.id),
            "avatar_url": call.html(f"/avatars/u/{account.id}"),
            "gravatar_id": "",
            "url": url,
            "html_url": page,
            "type": account.kind,
            "user_view_type": "public",
            "site_admin": False,
        }
    )


def show_account(call: Call, account: Account | None) -> dict[str, Any]:
    """Show an account in a required field: a deleted one is `ghost`."""
    return _show(call, account or GHOST)


def read_association(account: Account | None, repository: Repository) -> str:
    """Return an account's association with a repository."""
    if account is repository.owner:
        return "OWNER"
    return "COLLABORATOR" if account and repository.permissions.get(account.login, "none") != "none" else "NONE"


def team(call: Call, slug: str, **more: Any) -> dict[str, Any]:
    """Show a team that is asked for a review; `more` is what only lists say of it."""
    url = call.api(f"/organizations/1/team/{slug}")
    return {
        "id": 77,
        "node_id": node("T", 77),
        "url": url,
        "members_url": f"{url}/members{{/member}}",
        "repositories_url": f"{url}/repos",
        "html_url": call.html(f"/orgs/forge/teams/{slug}"),
        "name": slug.title(),
        "slug": slug,
        "description": None,
        "privacy": "closed",
        "notification_setting": "notifications_enabled",
        "permission": "pull",
        "type": "organization",
        "organization_id": 1,
    } | more


def app(call: Call, slug: str) -> dict[str, Any]:
    """Show a GitHub App."""
    number, name = app_of(slug)
    owner = Account(login="github", id=9919, kind="Organization", created_at=START)
    return {
        "id": number,
        "client_id": f"Iv1.{number}",
        "slug": slug,
        "node_id": node("A", number),
        "owner": user(call, owner),
        "name": name,
        "description": None,
        "external_url": call.html(f"/apps/{slug}"),
        "html_url": call.html(f"/apps/{slug}"),
        "created_at": time(START),
        "updated_at": time(START),
        "permissions": {"checks": "write", "metadata": "read"},
        "events": ["push"],
    }
