"""What a caller writes leads to the repository or the pull request it means, or is refused."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stithy_core.errors import InvalidArguments
from stithy_core.forges.references import (
    DirectoryReference,
    ParsedReference,
    create_form_error,
    escape_text,
    match_forge,
    parse_pull_request,
    parse_repository,
)
from stithy_core.model import RepositoryRef

BASE = "https://git.example"
SUB = "https://git.example/sub"
PORT = "http://git.example:3000/"
DEEP = "https://git.example/a/b/"
SIX = "https://[2001:DB8::1]:3000"
OWNER_REPO = (RepositoryRef("owner", "repo"), None)
NUMBER = (RepositoryRef("owner", "repo"), 123)
SECRETS = ["token", "hunter2"]

REPOSITORIES = [
    ("owner/repo", BASE),
    ("work:owner/repo", BASE),
    ("owner/repo.git", BASE),
    ("https://git.example/owner/repo", BASE),
    ("HTTPS://GIT.Example/owner/repo", BASE),
    ("https://git.example/owner/repo", "https://GIT.example:443/"),
    ("http://git.example:80/owner/repo", BASE),
    ("https://git.example:/owner/repo", BASE),
    ("https://git.example:0443/owner/repo", BASE),
    ("https://git.example/owner/repo/", BASE),
    ("https://git.example/owner/repo///", BASE),
    ("https://git.example/owner/repo.git", BASE),
    ("https://git.example/owner/repo.git/", BASE),
    ("https://git.example/owner/repo?tab=readme#top", BASE),
    ("https://git.example/%6fwner/repo", BASE),
    ("https://git.example/owner/repo/src/branch/main", BASE),
    ("https://git.example/owner/repo/src/branch/w%C3%BCrze/d%20e.py#L3-L5", BASE),
    ("https://git.example/owner/repo/pulls", BASE),
    ("https://git.example/owner/repo/pulls/123/files", BASE),
    ("https://git.example/owner/repo/issues?q=is%3Aopen", BASE),
    ("https://git.example/owner/repo/tree/main", BASE),
    ("https://git.example/owner/repo/compare/main...a/b", BASE),
    ("https://user:token@git.example/owner/repo", BASE),
    ("https://user:t@ken@git.example/owner/repo", BASE),
    ("https://git.example/sub/owner/repo.git", SUB),
    ("https://git.example/sub/owner/repo/issues/5", SUB + "/"),
    ("https://git.example/a/b/owner/repo", DEEP),
    ("http://git.example:3000/owner/repo", PORT),
    ("https://[2001:db8::1]:3000/owner/repo", SIX),
    ("git@git.example:owner/repo.git", BASE),
    ("git@git.example:owner/repo", SUB),
    ("git@git.example:/owner/repo.git", BASE),
    ("git.example:owner/repo.git", BASE),
    ("git@[2001:db8::1]:owner/repo.git", SIX),
    ("ssh://git@git.example/owner/repo.git", BASE),
    ("ssh://git@git.example:2222/owner/repo.git", BASE),
    ("ssh://git@git.example:2222/owner/repo.git", PORT),
    ("ssh://git@git.example:2222/owner/repo.git", SUB),
    ("ssh://git@git.example:2222/sub/owner/repo.git", SUB),
    ("ssh://git@ssh.git.example:443/owner/repo.git", BASE),
    ("git+ssh://git@git.example/owner/repo.git", BASE),
    ("git://git.example/owner/repo.git", BASE),
]

PULL_REQUESTS = [
    ("owner/repo#123", BASE),
    ("owner/repo.git#123", BASE),
    ("owner/repo/pulls/123", BASE),
    ("owner/repo/pull/123", BASE),
    ("work:owner/repo#123", BASE),
    ("work:owner/repo/pulls/123", BASE),
    ("https://git.example/owner/repo/pulls/123", BASE),
    ("https://git.example/owner/repo/pull/123", BASE),
    ("https://git.example/owner/repo/pull/123/", BASE),
    ("https://git.example/owner/repo/pull/123/files", BASE),
    ("https://git.example/owner/repo/pull/123/commits", BASE),
    ("https://git.example/owner/repo/pull/123/commits/0a1b2c", BASE),
    ("https://git.example/owner/repo/pull/123/files#diff-9R3", BASE),
    ("https://git.example/owner/repo/pull/123#discussion_r5", BASE),
    ("https://git.example/owner/repo/pulls/123#issuecomment-9", BASE),
    ("https://git.example/owner/repo/pull/123?x=y", BASE),
    ("https://git.example/owner/repo/pull/123?x=/z/#y", BASE),
    ("https://user:token@git.example/owner/repo/pull/123", BASE),
    ("https://git.example/sub/owner/repo/pulls/123/files", SUB),
    ("http://git.example:3000/owner/repo/pulls/123", PORT),
    ("https://git.example/owner/repo/pulls/123/pulls/5", BASE),
]

REFUSED = [
    "",
    "repo",
    "//",
    ":",
    "#",
    "@",
    "owner/",
    "owner//repo",
    "owner/repo/",
    "owner/repo ",
    " owner/repo",
    "owner/repo\n",
    "owner/re\0po",
    "owner/re\ud800po",
    "owner/re\u200fpo",
    "öwner/repo",
    "owner/repo\u0661",
    "owner/.git",
    "owner/..git",
    "..",
    "../..",
    "../owner",
    "owner/..",
    "owner/./repo",
    ":owner/repo",
    "a b:owner/repo",
    "one:two:owner/repo",
    "work:../repo",
    "https://",
    "https://git.example",
    "https://git.example/",
    "https://git.example/owner",
    "https:///owner/repo",
    "https://git.example//owner/repo",
    "https://git.example/owner/../repo",
    "https://git.example/owner/repo/src/%2E%2e/x",
    "https://git.example/owner%2Frepo",
    "https://git.example/%C3%B6wner/repo",
    "https://git.example/owner/%00",
    "https://git.example/own\ner/repo",
    "https://g\u00fct.example/owner/repo",
    "https://git.example:port/owner/repo",
    "https://git.example:123456/owner/repo",
    "https:/git.example/owner/repo",
    "//git.example/owner/repo",
    "ftp://git.example/owner/repo",
    "file:///srv/owner/repo",
    "ext::sh -c owner/repo",
    "git@git.example:repo.git",
    "git@git.example:../repo.git",
    "ssh://git@git.example:owner/repo.git",
]

REFUSED_NUMBERS = [
    "owner/repo",
    "owner/repo#",
    "owner/repo#0",
    "owner/repo#-1",
    "owner/repo#+1",
    "owner/repo#1.0",
    "owner/repo#1_0",
    "owner/repo#007",
    "owner/repo#\u0661",
    "owner/repo#\u00b2",
    "owner/repo#9007199254740992",
    "owner/repo#" + "9" * 5000,
    "owner/repo#12#3",
    "owner/repo #1",
    "owner/repo/pulls/1#2",
    "owner/repo/pulls/1/files",
    "owner/repo/issues/1",
    "pulls/1",
    "owner/pulls/1",
    "https://git.example/owner/repo",
    "https://git.example/owner/repo#1",
    "https://git.example/owner/repo/pulls",
    "https://git.example/owner/repo/pulls/new",
    "https://git.example/owner/repo/pulls/0",
    "https://git.example/owner/repo/pulls/1x",
    "https://git.example/owner/repo/issues/1",
    "https://git.example/owner/repo/issues/1#/pulls/2",
    "https://git.example/owner/pulls/1",
    "ssh://git@git.example/owner/repo/pulls/1",
    "git@git.example:owner/repo.git#1",
    ".",
    "./repo#1",
    "/srv/repo#1",
]

segments = st.from_regex(r"[A-Za-z0-9._-]{1,12}", fullmatch=True).filter(
    lambda text: text not in {".", "..", "pull", "pulls"} and not text.endswith(".git")
)
references = st.builds(RepositoryRef, segments, segments)
groups = st.builds(RepositoryRef, st.lists(segments, min_size=2, max_size=4).map("/".join), segments)
numbers = st.integers(1, 2**53 - 1)
aliases = st.from_regex(r"([A-Za-z0-9_-]{1,9}:)?", fullmatch=True)
hosts = st.from_regex(r"[a-z][a-z0-9-]{0,9}(\.[a-z0-9]{1,5}){1,2}", fullmatch=True)
ports = st.one_of(st.just(""), st.integers(1, 65535).map(":{}".format))
users = st.sampled_from(["", "git@", "user:hunter2@", "x%40y:t:o@k@"])
subpaths = st.lists(segments, max_size=3).map(lambda parts: "".join(f"/{part}" for part in parts))
places = st.builds("{}{}{}".format, hosts, ports.filter(lambda port: port not in {":80", ":443"}), subpaths)
roots = places.map("https://{}".format)
pages = st.sampled_from(["", "/", ".git", "/src/branch/main", "/tree/%2ex/%C3%BC", "/issues/4", "/wiki", "?a=b", "#L1"])
decorations = st.sampled_from(
    ["", "/", "/files", "/commits/0a1b", "?w=1", "#discussion_r5", "#issuecomment-9", "/files?a=/b#r", "/pulls/8"]
)
texts = st.one_of(
    st.text(st.characters(codec=None)),
    st.text("ow/.:#@~0123%\\[]?\n\0\u200f\ud800 ", max_size=40),
    st.builds(
        "{}{}".format, st.sampled_from(["https://", "ssh://git@", "git@h:", "a:o/r#", "https://h/o/r/"]), st.text()
    ),
)


def match(written, base):
    """Return the repository and the number that a reference names on a forge of the default names, or None."""
    place = match_forge(written, base)
    return place and (place.repository, place.pull_request if written.of_pull_request else None)


def read_repository(text, base=BASE):
    """Parse a repository of a forge whose names are the default."""
    written = parse_repository(text)
    if isinstance(written, ParsedReference) and match(written, base) is None:
        raise create_form_error(written, base)


def read_pull_request(text, base=BASE):
    """Parse a pull request likewise."""
    written = parse_pull_request(text)
    if match(written, base) is None:
        raise create_form_error(written, base)


def read_error(read, text):
    with pytest.raises(InvalidArguments) as caught:
        read(text)
    return caught.value


def complaint(read, text):
    try:
        read(text)
    except InvalidArguments as error:
        return error
    return None


@pytest.mark.parametrize(("text", "base"), REPOSITORIES)
def test_repository_forms(text, base):
    assert match(parse_repository(text), base) == OWNER_REPO


@pytest.mark.parametrize(("text", "base"), PULL_REQUESTS)
def test_pull_request_forms(text, base):
    assert match(parse_pull_request(text), base) == NUMBER


@pytest.mark.parametrize("text", [*REFUSED, "owner/repo#123"])
def test_refused_repository(text):
    assert str(read_error(read_repository, text)) == "repository must be in format 'owner/repo'"


@pytest.mark.parametrize("text", [*REFUSED, *(f"{text}#1" for text in REFUSED), *REFUSED_NUMBERS])
def test_refused_pull_request(text):
    assert str(read_error(read_pull_request, text)) == "pull request must be in format 'owner/repo#123'"


@pytest.mark.parametrize(
    "text", [".", "./", "./a b", "./x/../y", "/", "/srv/git/@x:y", "~", "~/work", "~me/ü", "/a\u200f"]
)
def test_a_directory_is_told_from_a_name(text):
    assert parse_repository(text) == DirectoryReference(Path(text))


@pytest.mark.parametrize("text", ["/srv/\0", "~\n", "./\ud800", "/" * 2, "/x" * 5000])
def test_refused_directories(text):
    read_error(read_repository, text)


def test_short_form_keeps_alias():
    assert parse_repository("work:group/team/repo") == ParsedReference(alias="work", path=("group", "team", "repo"))


def test_number_of_a_short_form():
    for text in ("work:owner/repo/pulls/7", "work:owner/repo#7"):
        assert match(parse_pull_request(text), BASE) == (RepositoryRef("owner", "repo"), 7)


def test_url_is_kept_whole():
    """Only who knows the forges can tell the subpath from the namespace."""
    expected = ParsedReference(scheme="https", host="git.example:3000", path=("sub", "owner", "repo", "issues"))
    assert parse_repository("https://user:token@Git.Example:3000/sub/owner/repo/issues") == expected


def test_scp_form_is_ssh():
    assert parse_repository("git@Host:2222/r") == ParsedReference(scheme="ssh", host="host", path=("2222", "r"))


@pytest.mark.parametrize(
    "base", ["https://other.example", "https://git.example:3000", SUB, "", "no URL", "git.example"]
)
def test_a_reference_outside_of_the_forge_does_not_match(base):
    assert match(parse_repository("https://git.example/owner/repo"), base) is None


@pytest.mark.parametrize("path", ["sub/repo", "subs/owner/repo", "Sub/owner/repo", "owner/sub", "owner/sub/repo"])
def test_outside_of_the_subpath(path):
    assert match(parse_repository(f"https://git.example/{path}"), SUB) is None


def test_the_subpath_itself_is_no_repository():
    assert match(parse_repository("https://git.example/a/b"), DEEP) is None
    assert match(parse_pull_request("https://git.example/a/b/pulls/1"), DEEP) is None


def test_ssh_host_must_match():
    assert match(parse_repository("git@evil.example:owner/repo"), BASE) is None


def test_repository_called_like_a_page():
    """Under a subpath the third segment may still be the name."""
    written = parse_repository("https://git.example/sub/team/wiki/src/branch/main")
    assert match(written, SUB) == (RepositoryRef("team", "wiki"), None)


def test_short_and_ssh_forms_have_no_pages():
    for text in ["group/team/wiki", "git@git.example:group/team/wiki.git"]:
        assert match(parse_repository(text), BASE) == (RepositoryRef("group/team", "wiki"), None)


def test_short_form_of_a_repository_called_like_a_page():
    for text in ("group/team/wiki/pulls/7", "group/team/-/pull/7"):
        assert str(match(parse_pull_request(text), BASE)[0]) == text.rsplit("/", 2)[0]


def test_file_below_pulls_is_no_pull_request():
    assert match(parse_pull_request("https://git.example/owner/repo/src/branch/pulls/1"), BASE) is None


@pytest.mark.parametrize("name", ["%C3%B6", "a b", "x%2Fy", "", "%00"])
def test_names_are_checked_below_the_subpath(name):
    """Before it is cut off, `src` looks like the page that ends a repository's name."""
    assert match(parse_repository(f"https://git.example/a/b/src/{name}/repo"), DEEP + "src") is None


def test_details_of_a_repository():
    assert read_error(read_repository, "öwner/repo").details["errors"] == [
        {
            "path": "repository",
            "given": "öwner/repo",
            "allowed": "owner/repo, alias:owner/repo, its URL, or a local directory",
        }
    ]


def test_details_of_a_pull_request():
    assert read_error(read_pull_request, "owner/repo").details["errors"] == [
        {
            "path": "pr",
            "given": "owner/repo",
            "allowed": "owner/repo#123, owner/repo/pulls/123, alias:owner/repo#123, or its URL",
        }
    ]


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("https://user:token@git.example/x", "https://git.example/x"),
        ("https://user:to/token@git.example/x", "https://git.example/x"),
        ("https://user:token@git.example:port/o/r", "https://git.example:port/o/r"),
        ("https://git.example/x?access_token=token", "https://git.example/x"),
        ("https://token@a/?b=https://user:hunter2@c/d", "https://c/d"),
        ("token@https://git.example/x", "https://git.example/x"),
        ("https:/user:token@git.example/o/r", "git.example/o/r"),
        ("user:token@git.example/ö/r", "git.example/ö/r"),
        ("token@git.example/ö/r", "git.example/ö/r"),
        ("owner/repö@v1", "owner/repö@v1"),
        (f"https://user:{'token' * 9000}@git.example/x", "https://git.example/x"),
    ],
)
def test_secrets_are_not_repeated(text, given):
    for read in (read_repository, read_pull_request):
        error = read_error(read, text)
        assert error.details["errors"][0]["given"] == given
        assert not any(secret in repr((error.as_dict(), error.__context__)) for secret in SECRETS)


def test_shown_is_short():
    assert escape_text("x" * 200) == "x" * 200
    assert escape_text("x" * 201) == "x" * 199 + "…"


def test_shown_is_visible():
    assert escape_text("a\n\0\u200f\ud800é 漢") == r"a\n\x00\u200f\ud800é 漢"


@given(texts)
def test_any_text_is_read_or_refused(text):
    for error in filter(None, (complaint(read_repository, text), complaint(read_pull_request, text))):
        assert len(error.details["errors"][0]["given"]) <= 200
        json.dumps(error.as_dict(), ensure_ascii=False).encode()


@pytest.mark.parametrize("size", [4000, 2**20])
@pytest.mark.parametrize(
    "piece", ["a", "/", "a/", "a.", ":", "@", "a@", "%", "#", "[", "pulls/1/", "://", "\ud800", "a:"]
)
@pytest.mark.parametrize("start", ["", "https://", "https://h/", "git@h:", "/", "a:"])
def test_length_is_no_burden(start, piece, size):
    text = start + piece * (size // len(piece))
    for read in (read_repository, read_pull_request):
        assert complaint(read, text) or size == 4000


@given(texts, roots)
def test_whatever_is_read_has_proper_names(text, root):
    try:
        written = parse_pull_request(text)
    except InvalidArguments:
        return
    if found := match(written, root):
        assert re.fullmatch(r"[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)+", str(found[0]))
        assert 1 <= found[1] < 2**53


@given(st.one_of(references, groups), aliases, numbers, roots)
def test_short_forms_round_trip(ref, alias, number, root):
    assume(not str(ref).startswith("~"))
    assert match(parse_repository(f"{alias}{ref}"), root) == (ref, None)
    for form in (f"{ref}#{number}", f"{ref}/pulls/{number}", f"{ref}/pull/{number}"):
        written = parse_pull_request(alias + form)
        assert (f"{written.alias}:" if alias else "") == alias
        assert match(written, root) == (ref, number)


@given(references, users, places, pages)
def test_repository_urls_round_trip(ref, user, place, page):
    assert match(parse_repository(f"https://{user}{place}/{ref}{page}"), f"http://{place}/") == (ref, None)


@given(references, users, places, numbers, decorations)
def test_pull_request_urls_round_trip(ref, user, place, number, decoration):
    written = parse_pull_request(f"https://{user}{place}/{ref}/pulls/{number}{decoration}")
    assert match(written, f"https://{place}") == (ref, number)


@given(references, hosts, ports, ports, subpaths)
def test_ssh_forms_round_trip(ref, host, port, web_port, subpath):
    for text in (f"git@{host}:{ref}.git", f"ssh://git@{host}{port}/{ref}.git", f"{host}:{ref}"):
        assert match(parse_repository(text), f"https://{host}{web_port}{subpath}") == (ref, None)
