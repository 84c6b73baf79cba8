"""The workflow's step (SERVE-23): on a comment to Rex, the conversation is stored for the agent."""

import json
import os
import re
import subprocess

import pytest
from github_double.sample import sample
from github_double.stage import serving
from serving_http import serving_http

TOKEN = "an-access-token-of-32-characters"
NEWEST = "The newest of all: please use the other hammer."
EVENTS = ["issue_comment", "pull_request_review_comment", "pull_request", "push"]


@pytest.fixture
def templates(manifest):
    found = manifest("workflow/coderun-template.yaml")["spec"]["templates"]
    return {template["name"]: template for template in found}


def holds(condition, **parameters):
    """Judge a condition as Argo does, which puts the parameters in and compares."""
    for name, value in parameters.items():
        condition = condition.replace(f"{{{{workflow.parameters.{name.replace('_', '-')}}}}}", value)
    words = re.sub(r"&&", " and ", condition).replace("||", " or ")
    return eval(words, {"__builtins__": {}})


@pytest.mark.parametrize("app", ["rex", "cleo"])
@pytest.mark.parametrize("event", EVENTS)
def test_the_step_runs_for_rex_on_comments_alone(templates, app, event):
    ((step,), _) = templates["main"]["steps"]
    assert holds(step["when"], github_app=app, event=event) == (app == "rex" and event in EVENTS[:2])


def test_the_coderun_is_given_the_path(templates):
    (_, (run,)) = templates["main"]["steps"]
    (parameter,) = run["arguments"]["parameters"]
    assert parameter["name"] == "comments_path"
    assert "'/work/comments.json'" in parameter["value"]
    assert "comments_path" in templates["code-run"]["resource"]["manifest"]


def test_no_parameter_stands_in_the_scripts_text(templates):
    """What an event brings would be run by the shell."""
    assert "{{" not in templates["fetch-comments"]["script"]["source"]


def test_event_data_cannot_change_the_manifest(templates):
    """Nothing of it stands there as it was written (FIX-19)."""
    manifest = templates["code-run"]["resource"]["manifest"]
    assert "{{workflow.parameters" not in manifest
    assert "pullRequest: {{=asInt(workflow.parameters.number)}}" in manifest


@pytest.mark.parametrize("number", ["", "0", "-1", "1.5", "7/../8", "7\nx: y", "seven", "07"])
def test_an_invalid_number_sends_no_request(templates, tmp_path, number):
    given = {"SERVICE": "http://127.0.0.1:1", "WORK": str(tmp_path), "OWNER": "a", "REPO": "b", "ACCESS": TOKEN}
    source = templates["fetch-comments"]["script"]["source"]
    done = subprocess.run(
        ["sh", "-c", source], env=os.environ | given | {"NUMBER": number}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (2, "the pull request's number is not a positive whole number\n")


def test_the_image_of_the_step_is_named_by_its_digest(templates):
    assert re.search(r"@sha256:[0-9a-f]{64}$", templates["fetch-comments"]["script"]["image"])


@pytest.fixture
def step(templates, tmp_path):
    """Run the step's script; give how it ended, what it printed, and what it wrote."""

    def run(event, service, token=TOKEN):
        number = event["issue"]["number"]
        owner, repo = event["repository"]["full_name"].split("/")
        given = {"SERVICE": service, "WORK": str(tmp_path), "OWNER": owner, "REPO": repo, "NUMBER": str(number)}
        script = templates["fetch-comments"]["script"]
        assert {row["name"] for row in script["env"]} == given.keys() | {"ACCESS"}
        source = re.sub(r"--retry 3", "--retry 0", script["source"])
        done = subprocess.run(
            [*script["command"], "-c", source],
            env=os.environ | given | {"ACCESS": token},
            capture_output=True,
            text=True,
        )
        written = tmp_path / "comments.json"
        return done, json.loads(written.read_text("utf-8")) if written.exists() else None

    return run


@pytest.fixture
def event():
    """A comment on a pull request, as GitHub tells of it, and the world in which it was made."""
    made = sample()
    comment = made.world.add_comment(made.pull, NEWEST, made.world.other_user)
    payload = {
        "action": "created",
        "issue": {"number": made.pull.number, "pull_request": {}},
        "comment": {"id": comment.id, "body": NEWEST},
        "repository": {"full_name": f"{made.anvil.owner.login}/anvil"},
    }
    return made.world, payload


@pytest.fixture
def service(event, tmp_path):
    """The real service on GitHub's double."""
    world, _ = event
    with serving("", world) as served:
        (tmp_path / "token").write_text(world.token)
        settings = f'[forges.github]\nkind = "github"\nurl = "{served.url}"\ntoken = {{ file = "token" }}\n'
        with serving_http(tmp_path, settings, STITHY_HTTP_TOKEN=TOKEN) as url:
            yield url


@pytest.mark.contract
def test_the_file_has_the_newest_comment(step, event, service):
    done, written = step(event[1], service)
    assert done.returncode == 0, done.stderr
    assert NEWEST in [row["body"] for row in written["comments"]]
    assert {row["type"] for row in written["comments"]} == {"review", "issue", "timeline"}
    assert written["summary"]["stats"]["total_comments"] == len(written["comments"])


@pytest.mark.contract
def test_printed_lines_hold_no_token(step, event, service):
    done, _ = step(event[1], service)
    assert TOKEN not in done.stdout + done.stderr
    assert event[0].token not in done.stdout + done.stderr


@pytest.mark.contract
def test_an_error_fails_the_step_and_leaves_no_file(step, event, service, tmp_path):
    """Not even that of an earlier run."""
    step(event[1], service)
    payload = event[1] | {"issue": {"number": 999_999}}
    done, written = step(payload, service)
    assert done.returncode == 22
    assert written is None


@pytest.mark.contract
def test_without_access_the_step_fails(step, event, service):
    done, written = step(event[1], service, token="another")
    assert (done.returncode, written) == (22, None)
