"""Refusals, in the words of each forge: those of its recorded exchanges, or else of its documentation."""

from collections.abc import Mapping
from typing import Any

from faulty.fault import Fault, Meaning
from faulty.server import FORGEJO, GITEA, GITHUB, TOKEN
from stithy_core.spi import Archived, Conflict, Forbidden, Locked, NotFound, Rejected, Unauthorized

TOKEN_WRONG = Meaning(kind=Unauthorized, words="401", remedy="`stithy doctor`")
NO_RIGHT = Meaning(kind=Forbidden, words="403", remedy="token")
BLOCKED = Meaning(kind=Forbidden, words="user is blocked", remedy="to unblock the token's user")
ARCHIVED = Meaning(kind=Archived, words="smith/anvil is archived", remedy="Its owner can unarchive it.")
LOCKED = Meaning(kind=Locked, words="the conversation of smith/anvil#1 is locked", remedy="unlock it")
ABSENT = Meaning(kind=NotFound, words="404|has no issue 1", remedy="Check the n")
IN_THE_WAY = Meaning(kind=Conflict, words="409|423", remedy="again")
GONE = Meaning(kind=NotFound, words="410", remedy="disabled")
INVALID = Meaning(kind=Rejected, words="422", remedy="names.")
SSO = "https://github.com/orgs/smith/sso?authorization_request="


def refusal(
    name: str,
    status: int,
    text: str,
    read: Meaning,
    write: Meaning | None = None,
    *,
    more: Mapping[str, Any] | None = None,
    locked: bool = False,
    **headers: Any,
) -> Fault:
    """Make the fault that a forge answers with a refusal."""
    return Fault(
        name=name,
        answer=lambda forge: forge.refuse(status, text, more=more, **headers),
        read=read,
        write=write or read,
        status=status,
        said=text,
        locked=locked,
    )


def of_both(*, token: str, scope: str, blocked: str, archived: str, locked: str, absent: str) -> list[Fault]:
    """Return the refusals of Gitea and Forgejo, whose texts differ."""
    return [
        refusal("401", 401, token, TOKEN_WRONG),
        refusal("403-permission", 403, scope, NO_RIGHT),
        refusal("403-permission-and-locked", 403, scope, NO_RIGHT, locked=True),
        refusal("403-blocked", 403, blocked, NO_RIGHT, BLOCKED),
        refusal("403-blank", 403, "", NO_RIGHT),
        refusal("403-locked", 403, locked, NO_RIGHT, LOCKED, locked=True),
        refusal("404", 404, absent, ABSENT, more={"errors": None}),
        refusal("409", 409, "head out of date", IN_THE_WAY),
        refusal("422", 422, "[Body]: Required", INVALID),
        refusal("423-archived", 423, archived, IN_THE_WAY, ARCHIVED),
    ]


OF_GITEA = of_both(
    token="invalid username, password or token",
    scope="token does not have at least one of required scope(s), required=[write:issue], token scope=read:issue",
    blocked="user is blocked",
    archived="smith/anvil is archived",
    locked="You cannot comment on a locked issue.",
    absent="not found",
)
OF_FORGEJO = of_both(
    token="user does not exist [uid: 0, name: ]",
    scope="token does not have at least one of required scope(s): [write:issue]",
    blocked="user is blocked by the poster or repository owner",
    archived="<Repository 1:smith/anvil> is archived",
    locked="Sie können ein gesperrtes Issue nicht kommentieren.",  # it is translated
    absent="The target couldn't be found.",
)
COMPLAINT = {
    "resource": "IssueComment",
    "code": "unprocessable",
    "field": "data",
    "message": f"Body is too long {TOKEN}",
}
OF_GITHUB = [
    refusal("401", 401, "Bad credentials", TOKEN_WRONG),
    refusal(
        "403-permission",
        403,
        "Resource not accessible by personal access token",
        Meaning(kind=Forbidden, words="403", remedy="the permission issues=write"),
        x_accepted_github_permissions="issues=write",
    ),
    refusal(
        "403-sso",
        403,
        "Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this "
        "organization.",
        Meaning(kind=Forbidden, words="SAML", remedy=f"single sign-on at {SSO}"),
        x_github_sso=f"required; url={SSO}{TOKEN}",
    ),
    refusal("403-archived", 403, "Repository was archived so is read-only.", NO_RIGHT, ARCHIVED),
    refusal("403-locked", 403, "Unable to create comment because issue is locked.", NO_RIGHT, LOCKED),
    refusal("404", 404, "Not Found", ABSENT),
    refusal("409", 409, "Git Repository is empty.", IN_THE_WAY),
    refusal("410", 410, "Issues are disabled for this repo", GONE),
    refusal("422", 422, "Validation Failed", INVALID),
    refusal(
        "422-too-long",
        422,
        "Validation Failed",
        Meaning(kind=Rejected, words="IssueComment.data: Body is too long", remedy="Shorten the text"),
        more={"errors": [COMPLAINT]},
    ),
    refusal("423", 423, "Locked", IN_THE_WAY),
]
OF = {GITEA: OF_GITEA, FORGEJO: OF_FORGEJO, GITHUB: OF_GITHUB}
