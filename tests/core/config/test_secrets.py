"""A secret that was written into stithy.toml is refused, and never repeated."""

import traceback

import pytest

FORGE = "[forges.work]\nkind = 'gitea'\n"
TOKENS = ["hunter2-s3cret", "ghp_" + "s3cret" * 6, "github_pat_s3cret_s3cret", "f00d" * 10]


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize(
    "line",
    [
        "token = '{}'",
        "token = ['{}']",
        "token = {{ value = '{}' }}",
        "token = {{ token = '{}' }}",
        "token.env = ['{}']",
        "token.env = '{}'",
        "token.command = '{}'",
        "token.private_key = {{ pem = '{}' }}",
        "token.installation = '{}'",
        "token.app = ['{}']",
        "access_token = '{}'",
        "password = '{}'",
        "url = 'https://me:{}@git.example'",
        "url = 'me:{}@git.example'",
        "url = 'https://git.example?private={}'",
        "token = {}",
    ],
)
def test_value_is_nowhere_in_the_error(refusal, line, token):
    error = refusal(FORGE + line.format(token))
    shown = "".join(traceback.format_exception(error)) + repr(error.as_dict())
    assert token not in shown
    assert error.details["line"] == 3


@pytest.mark.parametrize(
    "line", ["token.file = '{}'", "token.app = '{}'", "token.command = ['echo', '{}']", "read_only = '{}'"]
)
@pytest.mark.parametrize("token", TOKENS[1:])
def test_token_is_known_by_its_looks(refusal, line, token):
    assert token not in repr(refusal(FORGE + line.format(token)).as_dict())


def test_cause_does_not_hold_the_value(refusal):
    """A traceback with local variables would show what cattrs or tomllib raised."""
    for text in (f"{FORGE}token = 'abc'", f"{FORGE}token = abc"):
        error = refusal(text)
        assert (error.__cause__, error.__context__) == (None, None)


@pytest.mark.parametrize("line", ["token = 'abc'", "access_token = 'abc'", "token = { value = 'abc' }"])
def test_refusal_says_why_and_what_to_write_instead(refusal, line):
    message = refusal(FORGE + line).message
    assert "a token in a file gets copied and committed" in message
    assert 'token = { env = "NAME" }' in message


def test_token_at_the_top_of_the_file_is_refused(refusal):
    error = refusal("token = 'hunter2'")
    assert "gets copied and committed" in error.message
    assert "hunter2" not in repr(error.as_dict())


def test_alias_may_sound_secret(refusal):
    message = refusal("[forges.private-key]\nkind = 'k'\nread_only = 'no'\nzzz = 1").message
    assert "not 'no'" in message
    assert "committed" not in message


def test_private_key_must_not_be_written_out(refusal):
    key = "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----"
    error = refusal(f'{FORGE}token.app = "12"\ntoken.private_key = """{key}"""')
    assert "and never the key itself" in error.message
    assert "hunter2" not in repr(error.as_dict())
