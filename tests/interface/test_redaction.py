"""Secrets are taken out of text, those that were read and those that look like some."""

import json
from base64 import b64encode, urlsafe_b64encode
from html import escape
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_core import redaction
from stithy_core.redaction import MASK, SHORTEST, in_texts, passing, redact, remember

pytestmark = pytest.mark.usefixtures("forgetful")

LETTERS = "aB3" * 12
TOKENS = [
    *(f"gh{kind}_{LETTERS}" for kind in "pousr"),
    f"github_pat_{LETTERS}_{LETTERS}",
    f"glpat-{LETTERS}",
    f"eyJ{LETTERS}.{LETTERS}.{LETTERS}-_",
    *("AKIA0123456789ABCDEF", f"xoxb-1234567890-{LETTERS}", "AIza" + "Sy0_-" * 7),
    *(f"npm_{LETTERS}", f"pypi-{LETTERS * 2}", f"sk-ant-{LETTERS}"),
    f"-----BEGIN RSA PRIVATE KEY-----\n{LETTERS}\n{LETTERS}=\n-----END RSA PRIVATE KEY-----",
]


@pytest.fixture
def forgetful(monkeypatch):
    """No secret is known before a test, or after it."""
    monkeypatch.setattr(redaction, "_known", set())


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("around", ["{}", "a {} b", "token={}&x=1", '{{"a": "{}"}}', "https://{}@host/x", "a\n{}\nb"])
def test_a_published_shape_is_masked_wherever_it_stands(token, around):
    assert redact(around.format(token)) == around.format(MASK)


@pytest.mark.parametrize("token", TOKENS)
def test_a_shape_is_masked_behind_a_line_break_that_was_escaped(token):
    assert token not in redact(json.dumps(f"line\n{token}"))
    assert token not in redact(repr(f"line\n{token}"))


def test_a_token_with_much_in_it_is_masked_whole():
    token = f"eyJ{'aB3-' * 240}.{'cD4_' * 2_000}.{LETTERS}"
    assert redact(f"take {token} and go") == f"take {MASK} and go"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "token", "Token", "Basic", "BASIC"])
def test_a_value_after_an_authorization_scheme_is_masked(scheme):
    assert redact(f"Authorization: {scheme} {LETTERS}==, next") == f"Authorization: {scheme} {MASK}, next"


def test_an_authorization_header_without_a_scheme_is_masked():
    assert redact(f"authorization: {LETTERS}") == f"authorization: {MASK}"


@pytest.mark.parametrize("header", ["PRIVATE-TOKEN", "job-token"])
def test_a_token_in_a_header_of_its_own_is_masked(header):
    assert redact(f"{header}: {LETTERS}, next") == f"{header}: {MASK}, next"


@pytest.mark.parametrize("token", ["plain-token", "smith@a.example:the-secret", ":the-secret", "smith:"])
def test_of_a_user_and_a_secret_the_secret_alone_is_one_as_well(token):
    assert redaction.list_token_secrets(token) == tuple(filter(None, (token, token.partition(":")[2])))


@pytest.mark.parametrize("lead", ["token", "Token", "usertoken", "CancellationToken"])
def test_a_value_after_a_word_that_ends_with_token_is_masked(lead):
    assert redact(f"{lead} {LETTERS}, next") == f"{lead} {MASK}, next"


def test_user_and_password_of_a_url_are_masked():
    assert redact("git clone https://me:hunter2@host/x.git") == f"git clone https://{MASK}@host/x.git"


@pytest.mark.parametrize(
    "text",
    ["", "a comment", "ghp_short", "https://host:443/a@b", "ssh://git@host/x", "the token is missing", "me@host",
     "d670460b4b4aece5915caf5c68d12f560a9fe3e4", "eyJ.no.jwt", "owner/repo#123",
     "f(CancellationToken cancellationToken)"],
)  # fmt: skip
def test_other_texts_stay_unchanged(text):
    assert redact(text) == text


def test_a_remembered_secret_is_masked_wherever_it_turns_up():
    remember("open sesame")
    assert redact("say open sesame, then open sesame") == f"say {MASK}, then {MASK}"


@pytest.mark.parametrize("secret", ["", "a" * (SHORTEST - 1)])
def test_a_secret_too_short_to_be_one_is_not_remembered(secret):
    remember(secret)
    assert redact("a" * 20) == "a" * 20


def test_overlapping_secrets_are_masked_whole():
    for length in range(SHORTEST, 40):
        remember(("correct horse battery staple" * 2)[:length])
    assert redact(f"say {('correct horse battery staple' * 2)[:39]}!") == f"say {MASK}!"


def test_json_is_redacted_in_keys_and_values_and_keeps_its_form():
    remember("correct horse")
    given = {"correct horse": ["correct horse", {"a": "correct horse", "b": 1}], "c": None}
    assert in_texts(given, redact) == {MASK: [MASK, {"a": MASK, "b": 1}], "c": None}


secrets = st.text(st.sampled_from("abcd0123-_"), min_size=SHORTEST, max_size=20)


@given(st.lists(secrets, min_size=1, max_size=5), st.text(max_size=30), st.data())
def test_no_remembered_secret_is_left_in_any_text(known, around, data):
    redaction._known.clear()
    for secret in known:
        remember(secret)
    text = around.join(data.draw(st.permutations(known)))
    assert not any(secret in redact(text) for secret in known)


@given(st.lists(st.sampled_from(TOKENS) | st.text(), max_size=6).map(" ".join))
def test_redacting_twice_changes_nothing_more(text):
    assert redact(redact(text)) == redact(text)
    assert not any(token in redact(text) for token in TOKENS)


SECRETS = ["tok-en_0123456789abcdef", 'p\u00e4ss w\u00f6rd/+%&"<>~8', "0123456789abcdef0123456789abcdef01234567"]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("before", ["", "x:", "user:", "x-access-token:", "token "])
@pytest.mark.parametrize("after", ["", "\n", ":x-oauth-basic", "!!"])
@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
def test_base64_of_a_secret_is_masked_whatever_stands_around_it(secret, before, after, encode):
    """As in a Basic header, which a forge may repeat (FIX-8)."""
    remember(secret)
    encoded = encode(f"{before}{secret}{after}".encode()).decode()
    for form in (encoded, encoded.rstrip("=")):
        assert redact(f"got '{form}', sorry") == f"got '{MASK}', sorry"
        assert quote(form, safe="") == form or secret[4:] not in redact(f"got {quote(form, safe='')}")


@pytest.mark.parametrize("secret", SECRETS)
def test_a_percent_encoded_secret_is_masked(secret):
    """(FIX-8)."""
    remember(secret)
    whole = "".join(f"%{byte:02x}" for byte in secret.encode())
    forms = [quote(secret, safe=""), quote(secret), quote_plus(secret), whole, whole.upper(), whole.replace("%", "%25")]
    for form in forms:
        assert redact(f"/x?token={form}&y=%41") == f"/x?token={MASK}&y=%41"


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_that_json_or_html_escapes_is_masked(secret):
    """(FIX-8)."""
    remember(secret)
    assert redact(json.dumps({"message": secret})) == f'{{"message": "{MASK}"}}'
    assert redact(f"<p>{escape(secret)}</p>") == f"<p>{MASK}</p>"


@given(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=SHORTEST, max_size=40), st.binary(max_size=9))
def test_base64_of_any_secret_is_masked(secret, before):
    """(FIX-8)."""
    remember(secret)
    encoded = b64encode(before + secret.encode()).decode()
    assert encoded[len(before) * 2 :] not in redact(f"({encoded})") or not encoded


def test_a_text_that_only_looks_like_base64_or_a_url_is_left_as_it_is():
    remember(SECRETS[0])
    text = f"{b64encode(b'another text of some length').decode()} /a%20b?c=%2Fd"
    assert redact(text) == text


def test_secrets_of_an_outer_context_are_masked_in_an_inner_one():
    with passing(["outer-secret"]), passing(["inner-secret"]):
        assert redact("outer-secret, inner-secret") == f"{MASK}, {MASK}"
    assert redact("outer-secret, inner-secret") == "outer-secret, inner-secret"


def test_a_secret_with_a_slash_is_masked_in_json_that_escapes_slashes():
    remember("first/second")
    assert redact(r'{"token": "first\/second"}') == f'{{"token": "{MASK}"}}'
