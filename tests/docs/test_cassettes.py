"""cassettes/: no recording holds a secret, and the scan that says so finds what is planted."""

import functools
import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path

import pytest
import yaml
from git_forge import Workshop, git

from stithy_testing.cassettes import is_recorded_header

CASSETTES = Path(__file__).parents[2] / "cassettes"
PATHS = sorted(CASSETTES.glob("*/*.yaml"))
BUNDLES = sorted(CASSETTES.glob("*/*.bundle"))
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

KEPT_OF_REQUESTS = {"content-type", "x-was-authorized-by"}
FIELD = re.compile(
    r"token|passw(or)?d|passphrase|secret|credential|cookie|private_?key|api_?key|^sha1$|^otp$", re.IGNORECASE
)
COMMITS = {
    *("sha", "commit_id", "original_commit_id", "merge_base", "merge_commit_sha"),
    *("head_sha", "oid", "headRefOid", "baseRefOid"),
}
NO_COMMIT = "0" * 40  # what git says where there is none, before the first push of a branch, say
AUTHORIZED = {"token", "Bearer", "none"}
PLACE_OF_COMMIT = re.compile(r"(?:/(?:blob|raw|commits?|statuses)/|/contents/[^\s\"']*\?ref=)([0-9a-f]{40})\b")
# This one and those of LOWERED are for text in lower case: a search that ignores case takes three times as long.
DIGITS = re.compile(r"[0-9a-f]{40,}")
# Each begins with fixed letters, which a search finds many times quicker than a choice of beginnings.
SHAPES = (
    re.compile(r"gh[a-z]_\w{16,}"),
    re.compile(r"github_pat_\w+"),
    re.compile(r"glpat-[\w-]+"),
    re.compile(r"AKIA[0-9A-Z]{16}\b"),
    re.compile(r"eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),
    re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
)
LOWERED = (
    re.compile(r"basic(?<=\bbasic)[ \t]+[\w.~+/=-]{8,}"),
    re.compile(r"bearer(?<=\bbearer)[ \t]+[\w.~+/=-]{8,}"),
    re.compile(r"token(?<=\btoken)[ \t]+[0-9a-f]{16,}"),
    re.compile(
        r"(?:[?&]|\\u0026)(?:access_token|token|private_token|sudo|otp|password|sig|(?:x-amz-)?signature)="
        r"(?!(?:redacted|signed)\b)[^&\s\"']"  # `signed` is what the double of GitHub signs with
    ),
)
# Both begin with what is rare, and look back from there: from every letter on, a megabyte takes minutes.
AUTHORITY = re.compile(r"://(?<=[a-zA-Z0-9+]://)([^/\s\"'\\<>?#]*)")
HOST = re.compile(r"[\w.-]+\.(example|invalid)|127\.0\.0\.1")
SSH_USER = "forge@"  # every Forgejo's clone URL over SSH has its user, whose name is public
PERSON = re.compile(r"@(?<=[\w.+-]@)([\w-]+(?:\.[\w-]+)+)")


def scan(text):
    """Iterate over possible secrets in a cassette's text, each with its place."""
    interactions = yaml.load(text, LOADER)["interactions"]
    said = json.dumps(interactions, ensure_ascii=False, default=lambda body: body.decode("latin-1"))
    commits = set()
    for number, interaction in enumerate(interactions):
        for side in ("request", "response"):
            yield from (f"{number}: {found}" for found in in_message(side, interaction[side], commits))
    commits |= set(PLACE_OF_COMMIT.findall(said))
    yield from in_text(text, commits)
    yield from in_text(said, commits)
    yield from in_addresses(said)


def in_text(text, commits=()):
    """Find what looks like a secret, by its shape."""
    lowered = text.lower()
    for shapes, searched in ((SHAPES, text), (LOWERED, lowered)):
        for shape in shapes:
            yield from (f"looks like a secret: {match[0][:12]}…" for match in shape.finditer(searched))
    digits = {found for found in DIGITS.findall(lowered) if len(found) == len(NO_COMMIT)}
    yield from (f"40 digits of no commit: {found[:6]}…" for found in digits - {*commits, NO_COMMIT})


def in_bundle(path, folder):
    """Find likewise in all that a bundle holds: the names of branches, who committed, what was said, every file."""
    git(folder, "clone", "-q", "--mirror", str(path), "held.git")
    held = git(folder / "held.git", "fast-export", "--all")
    yield from in_text(held)
    yield from in_addresses(held)


def in_message(side, message, commits) -> Iterator[str]:
    """Find headers that ought to be gone and fields that promise a secret; note the ids of commits."""
    yield from (f"the header {name} of a {side}" for name in message["headers"] if not may_be_kept(side, name))
    for name, values in message["headers"].items():
        if name.lower() == "x-was-authorized-by" and not set(values) <= AUTHORIZED:
            yield f"the value of {name}"
    body = message["body"]["string"] if isinstance(message["body"], Mapping) else message["body"]
    try:
        fields = list(fields_of(json.loads(body or "null")))
    except ValueError:  # a page, or a text
        return
    commits |= {value for name, value in fields if name in COMMITS}
    commits |= {commit for name, value in fields if name == "body" for commit in read_commit_ids(value)}
    for name, value in fields:
        if promises_secret(name) and value not in ("", "REDACTED"):
            yield f"the field {name} of a {side}"


@functools.cache
def promises_secret(name):
    """Return whether a field of this name may hold a secret; a few names come many thousand times."""
    return bool(FIELD.search(name))


def may_be_kept(side, name):
    return name.lower() in KEPT_OF_REQUESTS if side == "request" else is_recorded_header(name)


def read_commit_ids(text):
    """Return the commit ids of a push, which a timeline has as JSON in a text."""
    try:
        return json.loads(text)["commit_ids"] or ()
    except (ValueError, TypeError, KeyError):
        return ()


def fields_of(value) -> Iterator[tuple[str, str]]:
    """Iterate over the text fields of a JSON value, at any depth."""
    left = [value]
    while left:
        match left.pop():
            case dict(fields):
                yield from ((name, inner) for name, inner in fields.items() if isinstance(inner, str))
                left += fields.values()
            case list(items):
                left += items


def in_addresses(said) -> Iterator[str]:
    """Find hosts and people that may be somebody's."""
    for match in AUTHORITY.finditer(said):
        host, _, port = match[1].removeprefix(SSH_USER).partition(":")
        if not HOST.fullmatch(host) or not (port.isdigit() or not port):
            yield f"the host {match[1]}"
    for match in PERSON.finditer(said):
        if not HOST.fullmatch(match[1].removeprefix("noreply.")):
            yield f"an address at {match[1]}"


def test_a_recording_holds_no_secret():
    """One test for all of them: a test each takes longer than its scan."""
    found = {f"{path.parent.name}/{path.name}": list(scan(path.read_text(encoding="utf-8"))) for path in PATHS}
    assert {name: secrets for name, secrets in found.items() if secrets} == {}
    assert found


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_bundle_holds_no_secret(path, tmp_path):
    assert list(in_bundle(path, tmp_path)) == []


def test_every_bundle_lies_beside_its_recording():
    assert BUNDLES
    assert [path for path in BUNDLES if not path.with_suffix(".yaml").exists()] == []


def test_every_folder_has_a_row():
    readme = (CASSETTES / "README.md").read_text(encoding="utf-8")
    table = readme.partition("| Folder |")[2].partition("\n\n")[0]
    assert {path.parent.name for path in PATHS} == set(re.findall(r"^\| `([\w.-]+)` \|", table, re.MULTILINE))


def test_every_recording_that_the_readme_names_is_there():
    readme = (CASSETTES / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"`(lab-[\w-]+)`", readme):
        assert all((CASSETTES / folder / f"{name}.yaml").exists() for folder in ("gitea-1.25", "gitea-1.27"))


def test_the_headers_of_requests_that_are_left_are_those_of_the_readme():
    readme = (CASSETTES / "README.md").read_text(encoding="utf-8").lower()
    assert not [name for name in KEPT_OF_REQUESTS if f"`{name}`" not in readme]


# --- The scan finds what is planted


SECRET = "0f1e2d3c4b5a69788796a5b4c3d2e1f001122334"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLXBhcnQ"
BODIES = {
    "a new token of Gitea": ("the field sha1", f'{{"id": 1, "name": "stithy", "sha1": "{SECRET}"}}'),
    "a password": ("the field password", '{"password": "correct horse"}'),
    "a field deep inside": ("the field secret", '[{"hooks": {"config": {"secret": "s3cret"}}}]'),
    "a token beside the id of a commit": ("40 digits", f'{{"sha": "{SECRET[::-1]}", "note": "{SECRET}"}}'),
    "a token in capitals": ("40 digits", f'{{"note": "{SECRET.upper()}"}}'),
    "a token of GitHub": ("looks like", '{"note": "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}'),
    "a newer token of GitHub": ("looks like", "github_pat_11ABCDEFG_abcdef"),
    "a token of GitLab": ("looks like", "use glpat-abcdefghij0123456789"),
    "a JSON Web Token": ("looks like", f"<p>{JWT}</p>"),
    "a private key": ("looks like", "-----BEGIN OPENSSH PRIVATE KEY-----"),
    "a basic authorization": ("looks like", "curl -H 'Authorization: Basic c21pdGg6c2VjcmV0'"),
    "a token in a query": ("looks like", '{"url": "https://git.example/o/r?access_token=abc"}'),
    "a signed address": ("looks like", '{"url": "https://git.example/logs/7?se=9&sig=abc"}'),
    "a signed address in JSON of Go": ("looks like", r'{"url": "https://git.example/logs/7?se=9\u0026sig=abc"}'),
    "a password in a URL": ("the host", '{"clone_url": "https://smith:s3cret@git.example/o/r.git"}'),
    "a token in a URL": ("the host", '{"clone_url": "https://s3cret@git.example/o/r.git"}'),
    "a host of somebody": ("the host", '{"url": "https://git.smithy.org/o/r"}'),
    "a host of a network": ("the host", '{"url": "http://10.0.0.7:3000/o/r"}'),
    "a host that only begins well": ("the host", '{"url": "https://git.example.org/o/r"}'),
    "an address of somebody": ("an address", '{"email": "smith@smithy.org"}'),
}
HEADERS = ["Authorization", "Cookie", "Set-Cookie", "PRIVATE-TOKEN", "X-Gitea-OTP", "Proxy-Authorization"]


@pytest.fixture(scope="module")
def clean():
    """A real recording, in which nothing is found."""
    path = CASSETTES / "gitea-1.27" / "lab-a-comment-is-created.yaml"
    return yaml.load(path.read_text(encoding="utf-8"), LOADER)


def scan_cassette(cassette):
    return list(scan(yaml.safe_dump(cassette)))


@pytest.mark.parametrize("what", BODIES)
def test_a_secret_in_a_body_is_found(clean, what):
    planted = deepcopy(clean)
    rule, planted["interactions"][1]["response"]["body"]["string"] = BODIES[what]
    assert any(rule in found for found in scan_cassette(planted))


SAID = {
    "in a file": ("looks like", {"files": {"a.txt": "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}}),
    "in a file that went": ("40 digits", {"files": {"gone.txt": SECRET}}),
    "in a message": ("looks like", {"message": "use Bearer abcdefgh"}),
    "in who wrote it": ("an address", {"GIT_AUTHOR_EMAIL": "smith@smithy.org"}),
}


@pytest.mark.parametrize("what", SAID)
def test_a_secret_in_a_bundle_is_found(tmp_path, what):
    rule, planted = SAID[what]
    shop = Workshop(tmp_path)
    shop.commit(**planted)
    shop.commit("Take it away", dict.fromkeys(planted.get("files", ())))
    shop.git("bundle", "create", "-q", "../planted.bundle", "--all")
    assert [found for found in in_bundle(tmp_path / "planted.bundle", tmp_path) if rule in found]


@pytest.mark.parametrize("side", ["request", "response"])
@pytest.mark.parametrize("header", HEADERS)
def test_a_header_that_tells_is_found(clean, header, side):
    planted = deepcopy(clean)
    planted["interactions"][0][side]["headers"][header] = ["x"]
    assert scan_cassette(planted) == [f"0: the header {header} of a {side}"]


@pytest.mark.parametrize("query", ["token=abc", "se=9&sig=abc", "X-Amz-Signature=abc"])
def test_a_secret_in_an_address_is_found(clean, query):
    planted = deepcopy(clean)
    planted["interactions"][0]["request"]["uri"] += f"?{query}"
    assert scan_cassette(planted)


def test_an_authorization_that_is_more_than_its_kind_is_found(clean):
    planted = deepcopy(clean)
    planted["interactions"][0]["request"]["headers"]["X-Was-Authorized-By"] = ["Bearer abc"]
    assert scan_cassette(planted) == ["0: the value of X-Was-Authorized-By"]


def test_a_secret_that_goes_on_in_the_next_line_is_found(clean):
    """YAML may break a long text where it has a space."""
    planted = deepcopy(clean)
    planted["interactions"][1]["response"]["body"]["string"] = "use Bearer abcdefgh"
    written = yaml.safe_dump(planted).replace("Bearer abcdefgh", "Bearer\n          abcdefgh")
    assert any("looks like a secret" in found for found in scan(written))


def test_a_secret_in_a_comment_of_the_file_is_found(clean):
    assert list(scan(f"# recorded with {SECRET}\n{yaml.safe_dump(clean)}"))


def test_a_clean_cassette_has_no_findings(clean):
    assert scan_cassette(clean) == []


def test_redacted_values_are_not_reported(clean):
    planted = deepcopy(clean)
    planted["interactions"][1]["response"]["body"]["string"] = '{"sha1": "REDACTED", "token": ""}'
    planted["interactions"][0]["request"]["uri"] += "?se=9&sig=REDACTED"
    assert scan_cassette(planted) == []
