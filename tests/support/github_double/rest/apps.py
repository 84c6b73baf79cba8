"""Endpoints for an app with a JWT: its installations, and tokens for them."""

from typing import Any

from github_double.apps import App
from github_double.records import Account
from github_double.rest.people import user
from github_double.rest.routing import Call, Problem, Reply, Rows, endpoint, missing, time

RIGHTS = {"contents": "read", "issues": "write", "metadata": "read", "pull_requests": "write"}


@endpoint("GET", "/app/installations")
def installations(call: Call) -> Rows:
    """List where the app is installed."""
    return Rows(list(_app(call).installations.items()), lambda call, row: installation(call, *row))


@endpoint("POST", "/app/installations/{installation_id}/access_tokens")
def access_token(call: Call) -> Reply:
    """Create a token that is valid for an hour."""
    app = _app(call)
    if call.parts["installation_id"] not in app.installations:
        raise missing()
    value, end = call.world.create_token(app)
    return Reply(
        {"token": value, "expires_at": time(end), "permissions": RIGHTS, "repository_selection": "all"}, status=201
    )


def _app(call: Call) -> App:
    if call.app is None:
        raise Problem(401, "A JSON web token could not be decoded")
    return call.app


def installation(call: Call, number: int, account: Account) -> dict[str, Any]:
    """Show an installation."""
    app, url = _app(call), call.api(f"/app/installations/{number}")
    return {
        "id": number,
        "account": user(call, account),
        "repository_selection": "all",
        "access_tokens_url": f"{url}/access_tokens",
        "repositories_url": call.api("/installation/repositories"),
        "html_url": call.html(f"/settings/installations/{number}"),
        "app_id": app.id,
        "app_slug": app.bot.login,
        "target_id": account.id,
        "target_type": account.kind,
        "permissions": RIGHTS,
        "events": [],
        "created_at": time(app.bot.created_at),
        "updated_at": time(app.bot.created_at),
        "single_file_name": None,
        "suspended_by": None,
        "suspended_at": None,
    }
