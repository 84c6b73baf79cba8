"""The double's behaviour in REST beyond the schemas of its answers (docs/forge-behaviour/github.md)."""

import httpx
import pytest
from github_double.asking import Asking
from github_double.sample import CONCLUSIONS, RARE, sample
from github_double.server import running

pytestmark = pytest.mark.contract

R = "/repos/forge/anvil"


def names(rows, key="name"):
    return [row[key] for row in rows]


def test_ids_exceed_32_bits(ask, example):
    found = ask.get(f"{R}/issues/{example.issue.number}/comments").json()
    assert all(row["id"] > 2**32 for row in found)


def test_an_invalid_token_is_refused(double):
    refused = Asking(double, "nonsense").get(R)
    assert (refused.status_code, refused.json()["message"]) == (401, "Bad credentials")


def test_a_request_without_user_agent_is_refused(ask):
    assert ask.get(R, User_Agent="").status_code == 403


def test_an_unknown_version_of_the_api_is_refused(ask):
    assert ask.get(R, X_GitHub_Api_Version="2011-01-01").status_code == 400


def test_a_private_repository_is_hidden_from_others(double, ask, ask_as_reader):
    assert [one.get("/repos/stranger/secret").status_code for one in (ask_as_reader, ask)] == [200, 404]
    assert Asking(double, "").get("/repos/stranger/secret").status_code == 404


def test_public_data_needs_no_token_and_writing_does(double):
    anybody = Asking(double, "")
    assert anybody.get(R).status_code == 200
    assert anybody.rest("POST", f"{R}/issues/1/comments", {"body": "x"}).status_code == 401


def test_a_former_name_redirects_to_the_number(ask, example):
    read = ask.get("/repos/forge/old-anvil/issues?per_page=1")
    write = ask.rest("POST", "/repos/forge/old-anvil/issues/1/comments", {"body": "x"})
    assert (read.status_code, write.status_code) == (301, 307)
    place = f"/api/v3/repositories/{example.anvil.id}/issues"
    assert read.headers["location"].endswith(f"{place}?per_page=1")
    assert write.headers["location"].endswith(f"{place}/1/comments")


def test_links_to_pages_use_the_number(ask, example):
    first = ask.get(f"{R}/issues?state=all&per_page=1")
    assert f"/repositories/{example.anvil.id}/issues" in first.links["next"]["url"]
    second = httpx.get(first.links["next"]["url"], headers=ask.headers, timeout=60)
    assert [row["number"] for row in first.json() + second.json()] == [2, 1]
    assert "next" not in second.links


def test_a_copy_is_revalidated_for_its_own_token_only(ask, ask_as_reader):
    tag = ask.get(R).headers["etag"]
    mine, others = ask.get(R, If_None_Match=tag), ask_as_reader.get(R, If_None_Match=tag)
    assert (mine.status_code, mine.content, others.status_code) == (304, b"", 200)


def test_a_revalidated_copy_is_free_and_has_no_link(ask):
    first = ask.get(f"{R}/issues?state=all&per_page=1")
    again = ask.get(f"{R}/issues?state=all&per_page=1", If_None_Match=first.headers["etag"])
    assert again.headers["x-ratelimit-used"] == first.headers["x-ratelimit-used"] == "1"
    assert "link" not in again.headers


def test_only_classic_tokens_show_scopes(ask, ask_as_reader):
    assert ask.get(R).headers["x-oauth-scopes"] == "repo, read:org"
    assert "x-oauth-scopes" not in ask_as_reader.get(R).headers


def test_issues_and_pull_requests_are_one_list(ask):
    assert ["pull_request" in row for row in ask.get(f"{R}/issues").json()] == [True, False]


def test_comments_since_a_time_are_those_edited_since(ask, example):
    edited = ask.rest("PATCH", f"{R}/issues/comments/{ask_own(example)}", {"body": "Changed."}).json()
    found = ask.get(f"{R}/issues/1/comments?since={edited['updated_at']}").json()
    assert names(found, "body") == ["Changed."]


def ask_own(example):
    example.issue.comments[0].user = example.world.user
    return example.issue.comments[0].id


def test_a_deleted_author_is_null_and_a_bot_has_its_suffix(ask):
    _, gone, bot = ask.get(f"{R}/issues/1/comments").json()
    assert (gone["user"], bot["user"]["login"], bot["user"]["type"]) == (None, "renovate[bot]", "Bot")


def test_a_locked_conversation_takes_no_comment_of_readers(ask, ask_as_reader, example):
    example.issue.locked = True
    answers = [one.rest("POST", f"{R}/issues/1/comments", {"body": "x"}) for one in (ask, ask_as_reader)]
    assert [answer.status_code for answer in answers] == [201, 403]
    assert "locked" in answers[1].json()["message"]


def test_an_archive_takes_no_comment(ask, example):
    example.anvil.archived = True
    refused = ask.rest("POST", f"{R}/issues/1/comments", {"body": "x"})
    assert (refused.status_code, refused.json()["message"]) == (403, "Repository was archived so is read-only.")


def test_a_blank_comment_is_invalid(ask):
    refused = ask.rest("POST", f"{R}/issues/1/comments", {"body": " "})
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "missing_field")


def test_only_the_first_comment_of_a_thread_takes_replies(ask, example):
    root, answer = (comment.id for comment in example.thread.comments[:2])
    path = f"{R}/pulls/2/comments/{{}}/replies"
    to_root, to_answer = (ask.rest("POST", path.format(one), {"body": "x"}) for one in (root, answer))
    assert (to_root.status_code, to_root.json()["in_reply_to_id"], to_answer.status_code) == (201, root, 422)


def test_a_user_with_a_pending_review_cannot_reply(ask_as_reader, example):
    root = example.thread.comments[0].id
    refused = ask_as_reader.rest("POST", f"{R}/pulls/2/comments/{root}/replies", {"body": "x"})
    assert (refused.status_code, "one pending review" in refused.text) == (422, True)


def test_a_pending_review_is_shown_to_its_author_only(ask, ask_as_reader):
    seen = [
        [row["state"] for row in one.get(f"{R}/pulls/2/reviews?per_page=100").json()] for one in (ask, ask_as_reader)
    ]
    assert ["PENDING" in states for states in seen] == [False, True]


def test_an_outdated_comment_has_its_original_line_only(ask, example):
    found = ask.get(f"{R}/pulls/comments/{example.outdated.comments[0].id}").json()
    assert (found["line"], found["original_line"], found["user"]) == (None, 6, None)


def test_ids_of_review_comments_are_not_those_of_comments(ask, example):
    assert ask.get(f"{R}/issues/comments/{example.thread.comments[0].id}").status_code == 404


def test_the_search_for_conflicts_takes_time(ask, example):
    example.pull.computing = 1
    first, second = (ask.get(f"{R}/pulls/2").json() for _ in range(2))
    assert (first["mergeable"], first["mergeable_state"]) == (None, "unknown")
    assert (second["mergeable"], second["mergeable_state"]) == (True, "blocked")


def test_a_diff_is_gits_own(ask):
    found = ask.get(f"{R}/pulls/2", Accept="application/vnd.github.diff").text
    assert found.startswith("diff --git a/horn.py b/horn.py\n")
    assert "\n-turn(5)\n+quench(5)\n" in found


def test_a_diff_of_too_many_files_is_refused(ask, example):
    example.world.push(example.anvil, "harden", "Add a lot", {f"{number}.txt": "x\n" for number in range(301)})
    refused = ask.get(f"{R}/pulls/2", Accept="application/vnd.github.diff")
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (406, "too_large")


def test_the_files_of_a_comparison_are_on_its_first_page(ask):
    pages = [ask.get(f"{R}/compare/main...harden?per_page=1&page={page}").json() for page in (1, 2)]
    assert ["files" in page for page in pages] == [True, False]
    assert [len(page["commits"]) for page in pages] == [1, 1]


def test_checks_have_every_conclusion(ask, example):
    path = f"{R}/commits/{example.pull.head_sha}/check-runs?per_page=100"
    found = ask.get(path).json()
    assert {row["conclusion"] for row in found["check_runs"]} == {None, *CONCLUSIONS, *RARE}
    assert found["total_count"] == len(found["check_runs"]) > 30


def test_without_statuses_the_combined_state_is_pending(ask, example):
    root = example.anvil.branches["main"]
    states = [ask.get(f"{R}/commits/{sha}/status").json() for sha in (root, example.pull.head_sha)]
    assert [(found["state"], found["total_count"]) for found in states] == [("pending", 0), ("success", 1)]


def test_a_log_is_stored_on_another_host_that_refuses_tokens(ask, double, example):
    led = ask.get(f"{R}/actions/jobs/{example.job.id}/logs")
    place = led.headers["location"]
    assert (led.status_code, place.startswith(double.storage)) == (302, True)
    assert httpx.get(place, timeout=60).content == b"one\ntwo\n"
    assert httpx.get(place, headers=ask.headers, timeout=60).status_code == 400
    assert httpx.get(place.partition("?")[0], timeout=60).status_code == 403


def test_the_log_of_a_job_without_one_is_not_found(ask, example):
    example.job.log = None
    assert ask.get(f"{R}/actions/jobs/{example.job.id}/logs").status_code == 404


def test_an_expired_artifact_is_gone(ask, example):
    example.artifact.expired = True
    assert ask.get(f"{R}/actions/artifacts/{example.artifact.id}/zip").status_code == 410


def test_a_protection_is_hidden_from_users_who_are_not_administrators(ask, example):
    before = ask.get(f"{R}/branches/main/protection")
    example.anvil.permissions["smith"] = "admin"
    after, free = (ask.get(f"{R}/branches/{branch}/protection") for branch in ("main", "harden"))
    assert (before.status_code, before.json()["message"]) == (404, "Not Found")
    assert after.json()["required_status_checks"]["contexts"] == ["build", "test"]
    assert free.json()["message"] == "Branch not protected"


def test_every_reader_sees_the_rules_of_rulesets(double):
    found = Asking(double, "").get(f"{R}/rules/branches/main").json()
    assert names(found, "type") == ["pull_request", "required_status_checks", "required_signatures"]


def test_the_same_world_gives_the_same_answers():
    """Recordings change only if the requests change."""

    def answer():
        with running(sample().world) as double:
            return Asking(double).get(f"{R}/pulls/2").text.replace(double.url, "")

    assert answer() == answer()


def test_without_a_token_the_rate_limit_is_small(double):
    limits = [Asking(double, token).get("/rate_limit").json()["rate"]["limit"] for token in ("", None)]
    assert limits == [60, 5_000]


def test_an_exhausted_rate_limit_refuses_everything_but_its_status(ask, double):
    double.limits.spend_all(ask.headers["Authorization"])
    refused, told = ask.get(R), ask.get("/rate_limit")
    assert (refused.status_code, refused.headers["x-ratelimit-remaining"]) == (403, "0")
    assert (told.status_code, told.json()["rate"]["remaining"]) == (200, 0)


def test_an_expired_token_is_refused(double):
    token = double.world.add_token("ended", double.world.user, expires_at=double.world.now)
    assert Asking(double, token).get(R).status_code == 401


def test_the_endpoints_of_apps_need_a_jwt(ask):
    answers = [ask.get("/app/installations"), ask.rest("POST", "/app/installations/1/access_tokens")]
    assert [answer.status_code for answer in answers] == [401, 401]


def test_single_sign_on_protects_private_repositories_only(example, double):
    example.anvil.owner.sign_on = True
    token = double.world.add_token("unauthorised", double.world.user, authorised=False)
    public = Asking(double, token).get(R).status_code
    example.anvil.private = True
    closed = Asking(double, token).get(R)
    assert (public, closed.status_code) == (200, 403)
    assert closed.headers["x-github-sso"].startswith(f"required; url={double.url}/orgs/forge/sso")
