"""From a request to the endpoint that it means, and from what that gives to an answer."""

from typing import TYPE_CHECKING

from github_double.admission import UNAUTHORISED, Admitted, is_closed, make_sign_on_header
from github_double.requests import Request
from github_double.rest import routing
from github_double.rest.paging import page_of
from github_double.rest.places import place
from github_double.rest.routing import Call, Problem, Reply, Rows

if TYPE_CHECKING:
    from github_double.answering import Double


def dispatch(double: "Double", asked: Request, admitted: Admitted) -> tuple[str, Reply]:
    """Answer a request of REST: the path that it has in GitHub's description, empty where it has none, and the reply.

    Args:
        double: Who answers.
        asked: The request.
        admitted: Who is let in.
    """
    try:
        path, repository = place(double.world, double.url, asked)
        if (found := routing.find(asked.method, path)) is None:
            raise routing.missing()
    except Problem as problem:
        return "", problem.reply()
    template, parts = found
    call = Call(
        world=double.world,
        base=double.url,
        storage=double.storage,
        token=admitted.token,
        app=admitted.app,
        target=repository,
        parts=parts,
        query=asked.query,
        body=None if asked.reads else asked.json(),
        accept=asked.headers.get("accept", ""),
        quota=double.limits.list_all(asked.identity, double.world.now),
    )
    try:
        return template, _call(asked, call, template, path)
    except Problem as problem:
        return template, problem.reply()


def _call(asked: Request, call: Call, template: str, path: str) -> Reply:
    if call.target and not call.target.allows(call.viewer, "read"):
        raise routing.missing()
    if call.viewer is None and call.app is None and not asked.reads:
        raise Problem(401, "Requires authentication")
    if call.target and is_closed(call.target, call.token):
        raise Problem(403, UNAUTHORISED, headers=make_sign_on_header(call.base, call.target.owner))
    given = routing.ENDPOINTS[asked.method, template](call)
    if isinstance(given, Rows):
        return page_of(call, path, given)
    assert isinstance(given, Reply)
    return given
