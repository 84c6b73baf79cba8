"""Reading a token, or the key of an app, when it is used."""

import sys

import pytest

from stithy_core.config import TokenSource, check_token, read_private_key, read_token
from stithy_core.errors import ConfigError


def printing(text):
    return TokenSource(command=(sys.executable, "-c", f"print({text!r})"))


def read_refused(source, **environ):
    with pytest.raises(ConfigError) as caught:
        read_token(source, environ)
    return caught.value


def test_variable_is_read_and_stripped():
    assert read_token(TokenSource(env="T"), {"T": " abc\n"}) == "abc"


def test_file_is_read_again_each_time(tmp_path):
    source = TokenSource(file=str(tmp_path / "t"))
    for token in ("one", "two"):
        (tmp_path / "t").write_text(f"{token}\n")
        assert read_token(source, {}) == token


def test_first_line_of_a_command_is_the_token():
    assert read_token(printing("abc\nuser: me"), {}) == "abc"


def test_command_has_the_environment_and_no_input():
    program = "import os, sys; print(os.environ['T'] + sys.stdin.read())"
    assert read_token(TokenSource(command=(sys.executable, "-c", program)), {"T": "abc"}) == "abc"


def test_missing_variable_is_named():
    error = read_refused(TokenSource(env="WORK_TOKEN"))
    assert error.message == "the token of the variable WORK_TOKEN cannot be used: it is not set"


def test_missing_file_is_named(tmp_path):
    error = read_refused(TokenSource(file=str(tmp_path / "t")))
    assert error.message.startswith(f"the token of the file {tmp_path / 't'} cannot be used: No such file")


def test_missing_program_is_named():
    assert (
        "the command no-such-program cannot be used: No such file"
        in read_refused(TokenSource(command=("no-such-program", "x"))).message
    )


def test_failing_command_says_its_exit_code():
    program = "import sys; print('s3cret'); print('s3cret', file=sys.stderr); sys.exit(3)"
    error = read_refused(TokenSource(command=(sys.executable, "-c", program)))
    assert error.message.endswith("it ended with exit code 3")
    assert "s3cret" not in repr(error.as_dict())


@pytest.mark.parametrize(
    "value", ["", "  \n", "s3cret\r\nX-Evil: 1", "s3cret\0", "Bearer s3cret", "s3cret\u202e", "\x7fs3cret"]
)
def test_a_token_that_fits_no_header_is_refused_without_showing_it(value):
    error = read_refused(TokenSource(env="T"), T=value)
    assert "s3cret" not in error.message + repr(error.as_dict())
    assert error.message.startswith("the token of the variable T cannot be used: it ")


def test_binary_file_is_refused_unseen(tmp_path):
    (tmp_path / "t").write_bytes(b"s3cret\xff")
    error = read_refused(TokenSource(file=str(tmp_path / "t")))
    assert error.message.endswith("it is not a text")
    assert error.__context__ is None


def test_command_has_little_time(monkeypatch):
    monkeypatch.setattr("stithy_core.config.secret_sources._SECONDS", 0.2)
    error = read_refused(TokenSource(command=(sys.executable, "-c", "import time; time.sleep(60)")))
    assert error.message.endswith("it took longer than 0.2 seconds")


def test_command_that_prints_no_text_is_refused():
    program = "import sys; sys.stdout.buffer.write(b'\\xff')"
    assert read_refused(TokenSource(command=(sys.executable, "-c", program))).message.endswith(
        "its output is not a text"
    )


def test_silent_command_gives_no_token():
    assert read_refused(printing("")).message.endswith("it is empty")


KEY = "-----BEGIN RSA PRIVATE KEY-----\ns3cret\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize("written", [f"{KEY}\n", KEY.replace("\n", "\\n"), f"\n {KEY}"])
def test_private_key_is_read_from_a_variable(written):
    """Files of variables often have no way to write a line end but \\n."""
    assert read_private_key(TokenSource(env="K"), {"K": written}) == KEY


def test_private_key_is_read_from_a_file(tmp_path):
    (tmp_path / "app.pem").write_text(KEY)
    assert read_private_key(TokenSource(file=str(tmp_path / "app.pem")), {}) == KEY


@pytest.mark.parametrize("written", ["", "s3cret", KEY.replace("PRIVATE", "PUBLIC")])
def test_an_invalid_private_key_is_refused_without_showing_it(written):
    with pytest.raises(ConfigError, match=r"^the private key of the variable K cannot be used: it is no") as caught:
        read_private_key(TokenSource(env="K"), {"K": written})
    assert "s3cret" not in repr(caught.value.as_dict())


def test_found_token_is_checked_like_the_others():
    assert check_token(" abc\n", "gh auth token") == "abc"
    with pytest.raises(ConfigError, match=r"^the token of gh auth token cannot be used: it is empty"):
        check_token("\n", "gh auth token")


@pytest.mark.parametrize("given", [{}, {"env": "A", "file": "b"}, {"file": "b", "command": ("c",)}])
def test_source_is_exactly_one(given):
    with pytest.raises(ValueError, match="exactly one"):
        TokenSource(**given)
