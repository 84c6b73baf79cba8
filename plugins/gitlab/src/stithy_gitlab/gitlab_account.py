"""Whose the token is, and of which kind."""

import re
from typing import TYPE_CHECKING

from attrs import frozen

from stithy_core.spi import Forbidden, ForgeError, NotFound, Unauthorized, User, or_unknown
from stithy_gitlab.gitlab_mapping import to_user

if TYPE_CHECKING:
    from stithy_core.spi import Forge

JOB = "CI job token"
PERSONAL = "personal access token"
OAUTH = "OAuth token"
NAMES = re.compile(r"(project|group)_\d+_bot")
"""The names of the bots that project and group access tokens belong to."""
JOB_REACH = (
    "it reads merge requests, issues, notes and pipelines of projects that allow it, writes nothing,"
    " and ends with its job"
)
JOB_REMEDY = "Use a project access token with the scope api: set it as GITLAB_TOKEN, which goes before CI_JOB_TOKEN."


@frozen
class Account:
    """The user of a token. `is_job` is whether it is the token of a CI job."""

    user: User
    is_job: bool


async def read_account(forge: "Forge") -> Account:
    """Return the account of the token, asked once; for the token of a job, the user that started the job."""
    return await forge.once("account", lambda: _ask(forge))


async def _ask(forge: "Forge") -> Account:
    try:
        return Account(to_user(await forge.http.get("/user", shape=dict)), is_job=False)
    except (Unauthorized, Forbidden) as refused:
        try:  # the token of a job reads little else
            return Account(to_user((await forge.http.get("/job", shape=dict))["user"]), is_job=True)
        except (Unauthorized, Forbidden, NotFound):
            raise refused from None


def name_kind(user: User) -> str:
    """Return the kind of a personal, project or group access token: the last two belong to bots of their own."""
    found = NAMES.match(user.login)
    return f"{found[1]} access token" if found else PERSONAL


async def explain_unauthorized(forge: "Forge", error: Unauthorized) -> ForgeError:
    """Return what a 401 means: also that there is no token, or that the token of a job does not reach so far."""
    if not await forge.token_identity():
        text = "GitLab shows this to signed-in readers only, also of public projects"
        remedy = "Configure a token with the scope read_api: `stithy doctor` names the places where it is looked for."
        return Unauthorized(text, suggestion=remedy, details=error.details)
    account = await or_unknown(read_account(forge), on=(ForgeError,))
    if not isinstance(account, Account) or not account.is_job:
        return error
    return Forbidden(
        f"the token of a CI job may not do this: {JOB_REACH}", suggestion=JOB_REMEDY, details=error.details
    )
