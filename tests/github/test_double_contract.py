"""The double answers at each of its endpoints as GitHub describes it, and reports it if it does not."""

import jwt
import pytest
from github_double import contract, rest
from github_double.answering import WRONG
from github_double.asking import Asking
from github_double.rest.routing import ENDPOINTS, Reply
from github_double.sample import sample
from github_double.server import running

pytestmark = pytest.mark.contract

REPOSITORY = "/repos/{owner}/{repo}"
EACH = [pytest.param(*endpoint, id=" ".join(endpoint)) for endpoint in ENDPOINTS]
PULL = f"{REPOSITORY}/pulls/{{pull_number}}"


@pytest.fixture
def everything():
    return sample()


@pytest.fixture
def double(everything):
    with running(everything.world) as found:
        yield found


@pytest.fixture
def proof(everything, key):
    """The JWT of an installed app."""
    app = everything.world.add_app("tempering", key.public_key(), everything.anvil.owner)
    now = everything.world.now.timestamp()
    return jwt.encode({"iss": str(app.id), "iat": int(now) - 60, "exp": int(now) + 300}, key, algorithm="RS256")


def list_path_values(everything):
    """Return a value for each placeholder of a path."""
    return {
        "installation_id": max((max(app.installations) for app in everything.world.apps.values()), default=0),
        "owner": everything.anvil.owner.login,
        "repo": everything.anvil.name,
        "username": everything.anvil.owner.login,
        "issue_number": everything.issue.number,
        "pull_number": everything.pull.number,
        "comment_id": everything.issue.comments[0].id,
        "ref": everything.pull.head_sha,
        "basehead": "main...harden",
        "tree_sha": everything.pull.head_sha,
        "branch": "main",
        "check_run_id": everything.job.id,
        "run_id": everything.run.id,
        "job_id": everything.job.id,
        "artifact_id": everything.artifact.id,
        "archive_format": "zip",
    }


def fill_path(template, everything):
    parts = list_path_values(everything)
    if "/pulls/" in template:
        parts["comment_id"] = everything.thread.comments[0].id
    return template.format(**parts)


@pytest.mark.parametrize(("method", "template"), EACH)
def test_every_endpoint_answers_as_described(double, everything, proof, method, template):
    everything.anvil.permissions[everything.world.user.login] = "admin"
    answered = ask(double, everything, method, template, token=proof if template.startswith("/app/") else None)
    assert answered.status_code in (200, 201, 202, 302), answered.text


@pytest.mark.parametrize(("method", "template"), EACH)
def test_every_endpoint_answers_as_described_without_a_token(double, everything, method, template):
    assert ask(double, everything, method, template, token="").status_code in (200, 302, 401, 404)


def ask(double, everything, method, template, token=None):
    body = None
    if method != "GET":
        body = {"body": "Hello.", "in_reply_to": everything.thread.comments[0].id, "base": "main"}
        everything.issue.comments[0].user = everything.world.user
        everything.world.push(everything.anvil, "main", "Add later.txt", {"later.txt": "later\n"})
    return Asking(double, token).rest(method, fill_path(template, everything), body)


def test_the_timeline_of_a_pull_request_is_as_described(double, everything):
    rows = Asking(double).get(f"/repos/forge/anvil/issues/{everything.pull.number}/timeline").json()
    assert {"line-commented", "committed", "reviewed", "cross-referenced"} <= {row["event"] for row in rows}


def test_endpoints_that_github_does_not_have_are_refused():
    with pytest.raises(LookupError, match=r"GitHub describes no GET .*/anvils"):
        contract.find_models("GET", f"{REPOSITORY}/anvils")


@pytest.fixture
def comment(double, everything):
    """A valid answer."""
    return Asking(double).get(f"/repos/forge/anvil/issues/comments/{everything.issue.comments[0].id}").json()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda row: row | {"colour": "red"}, "$.colour is not described"),
        (lambda row: row | {"user": row["user"] | {"colour": "red"}}, "$.user.colour is not described"),
        (lambda row: {name: row[name] for name in row if name != "issue_url"}, "issue_url: Field required"),
        (lambda row: row | {"id": str(row["id"])}, "id: Input should be a valid integer"),
        (lambda row: row | {"author_association": "FRIEND"}, "author_association"),
        (lambda row: [row], "should be"),
    ],
    ids=["a field too many", "one deeper", "a field too few", "a wrong type", "an unknown word", "a list"],
)
def test_an_invalid_answer_is_found(comment, spoil, said):
    template = f"{REPOSITORY}/issues/comments/{{comment_id}}"
    assert contract.list_faults("GET", template, 200, comment) == []
    assert any(said in fault for fault in contract.list_faults("GET", template, 200, spoil(comment)))


def test_an_invalid_answer_is_not_sent(everything, monkeypatch):
    monkeypatch.setitem(ENDPOINTS, ("GET", "/meta"), lambda call: Reply({"colour": "red"}))
    with (
        pytest.raises(AssertionError, match="verifiable_password_authentication: Field required"),
        running(everything.world) as double,
    ):
        assert Asking(double).get("/meta").status_code == WRONG


def test_errors_are_as_described():
    assert contract.list_faults("GET", PULL, 404, {"message": "Not Found", "status": 404})
    assert not contract.list_faults("GET", PULL, 404, {"message": "Not Found", "status": "404"})


def test_tolerated_answers_differ_from_the_description():
    """If the description is corrected, the exception can be removed."""
    template = f"{REPOSITORY}/issues/{{issue_number}}/timeline"
    row = {"event": "line_commented", "node_id": "N", "comments": []}
    assert contract.list_faults("GET", template, 200, [row]) == []
    assert contract.list_faults("GET", template, 200, [row | {"event": "line-spoken"}])


def test_all_modules_of_rest_are_loaded():
    assert {handler.__module__.rpartition(".")[2] for handler in ENDPOINTS.values()} == set(rest.__all__)
