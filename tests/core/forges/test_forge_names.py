"""How callers name what is on forges that write names in five ways."""

import json

import pytest
from attrs import frozen
from forge_names import AzureNames, BitbucketNames, GerritNames, GitLabNames
from hypothesis import given
from hypothesis import strategies as st

from stithy_core.app.offer_check import find_name_faults
from stithy_core.errors import InvalidArguments
from stithy_core.forges.references import (
    ParsedReference,
    create_form_error,
    match_forge,
    parse_pull_request,
    parse_repository,
)
from stithy_core.spi import ForgeNames, IssueRef, PullRequestRef, RepositoryRef

BASE = "https://git.example"
OTHER_MARK = "merge request must be in format 'group/repo!123': write '{}' for merge request 7; #7 is an issue"
ORGANIZATION = "https://dev.example/my%20org"


@frozen
class Dialect:
    """A kind of names, the URL of a forge that has it, and segments of names on it."""

    names: ForgeNames
    url: str
    depths: tuple[int, int]
    segments: st.SearchStrategy[str]


def plain(pattern, *reserved):
    return st.from_regex(pattern, fullmatch=True).filter(
        lambda text: text not in {".", "..", *reserved} and not text.endswith(".git")
    )


spaced = plain(r"[A-Za-zÀ-ÿ0-9_][A-Za-zÀ-ÿ0-9_.() &~@'-]{0,10}[A-Za-z0-9_]", "_git")
DIALECTS = {
    "github": Dialect(ForgeNames(), BASE, (2, 2), plain(r"[A-Za-z0-9._-]{1,12}")),
    "gitlab": Dialect(GitLabNames(), f"{BASE}/gitlab", (2, 6), plain(r"[A-Za-z0-9_.][A-Za-z0-9_.-]{0,11}")),
    "bitbucket": Dialect(BitbucketNames(), "https://bucket.example", (2, 2), plain(r"[A-Za-z0-9._-]{1,12}")),
    "azure": Dialect(AzureNames(), ORGANIZATION, (2, 2), spaced),
    "gerrit": Dialect(GerritNames(), f"{BASE}/r", (1, 4), plain(r"[A-Za-z0-9_.][A-Za-z0-9_.-]{0,11}")),
}
each_dialect = pytest.mark.parametrize("name", DIALECTS)
numbers = st.integers(1, 2**53 - 1)
texts = st.one_of(
    st.text(st.characters(codec=None), max_size=60),
    st.text("ow/.:#!@~+-_0123%\\[]?\n\0\u200f\ud800 ", max_size=40),
    st.builds(
        "{}{}".format,
        st.sampled_from(
            [
                "https://git.example/gitlab/g/r/-/",
                "https://dev.example/my%20org/_git/",
                "https://dev.example/my%20org/p/_git/r/",
                "https://git.example/r/c/",
                "https://git.example/r/c/p/+/",
                "https://git.example/r/admin/repos/",
                "https://bucket.example/w/r/",
                "git@ssh.dev.example:v3/my%20org/",
                "p/_git/",
                "c/p/+/",
            ]
        ),
        st.text("/%2Fe.+-_git!#0123456789 ", max_size=30),
    ),
)


def build_repository(parts):
    return RepositoryRef("/".join(parts[:-1]), parts[-1])


def draw_repository(data, dialect):
    least, most = dialect.depths
    return build_repository(data.draw(st.lists(dialect.segments, min_size=least, max_size=most)))


def read_repository(text, dialect):
    """Return the repository that a text names on a forge, or raise the error that its caller reads."""
    written = parse_repository(text, local=False)
    assert isinstance(written, ParsedReference)
    if (place := match_forge(written, dialect.url, dialect.names)) is None:
        raise create_form_error(written, dialect.url, dialect.names)
    return place.repository


def read_pull_request(text, dialect):
    """Return the pull request that a text names on a forge; its repository may be None."""
    written = parse_pull_request(text)
    if (place := match_forge(written, dialect.url, dialect.names)) is None:
        raise create_form_error(written, dialect.url, dialect.names)
    return dialect.names.create_pull_request_ref(place.repository, place.pull_request)


def read_or_refuse(read, text, dialect):
    """Return what a text names, or the error, which fits into an answer."""
    try:
        return read(text, dialect)
    except InvalidArguments as error:
        json.dumps(error.as_dict(), ensure_ascii=False).encode()
        return error


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("github", "https://git.example/owner/repo/pull/7/files", "owner/repo#7"),
        ("gitlab", "group/team/repo!7", "group/team/repo!7"),
        ("gitlab", "work:group/repo!7", "group/repo!7"),
        ("gitlab", "group/repo/-/merge_requests/7", "group/repo!7"),
        ("gitlab", "https://git.example/gitlab/group/team/repo/-/merge_requests/7", "group/team/repo!7"),
        ("gitlab", "https://git.example/gitlab/group/wiki/repo/-/merge_requests/7/diffs#note_1", "group/wiki/repo!7"),
        ("bitbucket", "space/repo!9", "space/repo!9"),
        ("bitbucket", "https://bucket.example/space/repo/pull-requests/9/a-title/diff", "space/repo!9"),
        ("azure", "My Project/My Repo!9", "My Project/My Repo!9"),
        ("azure", "https://dev.example/my%20org/My%20Project/_git/My%20Repo/pullrequest/9", "My Project/My Repo!9"),
        ("azure", "https://dev.example/my%20org/_git/Repo/pullrequest/9?_a=files", "Repo/Repo!9"),
        ("azure", "https://my-org.old.example/My%20Project/_git/Repo/pullrequest/9", "My Project/Repo!9"),
        ("azure", "https://my-org.old.example/DefaultCollection/P/_git/Repo/pullrequest/9", "P/Repo!9"),
        ("gerrit", "gerrit#123", "gerrit#123"),
        ("gerrit", "deep/er/project#123", "deep/er/project#123"),
        ("gerrit", "https://git.example/r/c/gerrit/+/123", "gerrit#123"),
        ("gerrit", "https://git.example/r/c/deep/er/project/+/123/4/src/main.c", "deep/er/project#123"),
    ],
)
def test_pull_requests_of_each_forge(name, text, expected):
    assert str(read_pull_request(text, DIALECTS[name])) == expected


@pytest.mark.parametrize("text", ["https://git.example/r/123", "123", "work:123"])
def test_change_by_its_number_alone(text):
    assert read_pull_request(text, DIALECTS["gerrit"]) == PullRequestRef(None, 123)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("gitlab", "https://git.example/gitlab/group/team/repo/-/issues/7", "group/team/repo"),
        ("gitlab", "https://git.example/gitlab/group/team/repo/-/tree/main/src", "group/team/repo"),
        ("gitlab", "git@git.example:group/team/repo.git", "group/team/repo"),
        ("bitbucket", "https://bucket.example/space/repo/a-page-of-next-year/7", "space/repo"),
        ("azure", "My Project/_git/My Repo", "My Project/My Repo"),
        ("azure", "https://dev.example/my%20org/My%20Project/_git/My%20Repo", "My Project/My Repo"),
        ("azure", "git@ssh.dev.example:v3/my%20org/My%20Project/My%20Repo", "My Project/My Repo"),
        ("azure", "https://me@my-org.old.example/My%20Project/_git/My%20Repo", "My Project/My Repo"),
        ("azure", "my-org@old-ssh.example:v3/my%20org/My%20Project/My%20Repo", "My Project/My Repo"),
        ("gerrit", "gerrit", "gerrit"),
        ("gerrit", "https://git.example/r/a/deep/project", "deep/project"),
        ("gerrit", "https://git.example/r/admin/repos/deep%2Fproject,access", None),
        ("gerrit", "https://git.example/r/admin/repos/deep%2Fproject", "deep/project"),
        ("gerrit", "ssh://me@git.example:29418/deep/project.git", "deep/project"),
    ],
)
def test_repositories_of_each_forge(name, text, expected):
    if expected is None:
        with pytest.raises(InvalidArguments):
            read_repository(text, DIALECTS[name])
    else:
        assert str(read_repository(text, DIALECTS[name])) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("azure", "git@ssh.dev.example:v3/other/My%20Project/My%20Repo"),
        ("azure", "other@old-ssh.example:v3/other/My%20Project/My%20Repo"),
        ("azure", "https://other.old.example/My%20Project/_git/My%20Repo"),
        ("azure", "https://dev.example/my%20org/My%20Project/_workitems/edit/5"),
        ("azure", "My Project/_git"),
        ("azure", "_git/_git"),
        ("azure", " padded/repo"),
        ("azure", "project/re\u200fpo"),
        ("azure", "https://dev.example/my%20org/pro%2Fject/_git/repo"),
        ("azure", "https://dev.example/my%20org/pro%5Cject/_git/repo"),
        ("azure", "https://dev.example/my%20org/project/_git/%2E%2E"),
        ("gitlab", "group%2Fteam/repo"),
        ("gitlab", "https://git.example/gitlab/group%2Fteam/repo"),
        ("gitlab", "repo"),
        ("bitbucket", "space/team/repo"),
        ("gerrit", ""),
        ("gerrit", "https://git.example/r/c/+/123"),
        ("gerrit", "https://git.example/r/admin/repos/..%2Fsecret"),
    ],
)
def test_names_that_are_refused(name, text):
    with pytest.raises(InvalidArguments):
        read_repository(text, DIALECTS[name])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "gitlab",
            "group/repo#7",
            OTHER_MARK.format("group/repo!7"),
        ),
        (
            "gitlab",
            "work:group/repo#7",
            OTHER_MARK.format("work:group/repo!7"),
        ),
        (
            "gitlab",
            "https://git.example/gitlab/group/repo/-/issues/7",
            "merge request must be in format 'group/repo!123': the URL is that of issue 7, not of a merge request",
        ),
        ("gitlab", "repo", "merge request must be in format 'group/repo!123'"),
        (
            "github",
            "owner/repo!7",
            "pull request must be in format 'owner/repo#123': write 'owner/repo#7' for pull request 7",
        ),
        ("github", "https://git.example/owner/repo/issues/7", "pull request must be in format 'owner/repo#123'"),
        ("gerrit", "gerrit!7", "change must be in format 'project#123': write 'gerrit#7' for change 7"),
    ],
)
def test_error_names_the_forges_own_form(name, text, message):
    with pytest.raises(InvalidArguments) as caught:
        read_pull_request(text, DIALECTS[name])
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("github", "owner/repo#123, owner/repo/pulls/123, alias:owner/repo#123, or its URL"),
        ("gitlab", "group/repo!123, group/repo/-/merge_requests/123, alias:group/repo!123, or its URL"),
        ("azure", "project/repo!123, project/_git/repo/pullrequest/123, alias:project/repo!123, or its URL"),
        ("gerrit", "project#123, c/project/+/123, alias:project#123, or its URL"),
    ],
)
def test_each_form_in_an_error_is_accepted(name, allowed):
    with pytest.raises(InvalidArguments) as caught:
        read_pull_request("?", DIALECTS[name])
    assert caught.value.details["errors"][0]["allowed"] == allowed
    refs = {read_pull_request(form, DIALECTS[name]) for form in allowed.split(", ")[:3]}
    assert len(refs) == 1


def test_issue_and_merge_request_of_one_number_are_two_things():
    repository = RepositoryRef("group", "repo")
    issue, request = IssueRef(repository, 7), GitLabNames().create_pull_request_ref(repository, 7)
    assert issue != request
    assert (str(issue), issue.short) == ("group/repo#7", "#7")
    assert (str(request), request.short) == ("group/repo!7", "!7")
    assert len({issue: 1, request: 2, PullRequestRef(repository, 7): 2}) == 2


class ManyMarks(ForgeNames):
    mark = "MR"


class ForeignForm(ForgeNames):
    form = "repo"


class OnlyFormatted(ForgeNames):
    def format_pull_request_path(self, pr):
        return f"changes/{pr.number}"


class MoreSegments(ForgeNames):
    def format_repository_path(self, repository):
        return f"projects/{repository}"


@pytest.mark.parametrize(
    ("names", "cause"),
    [
        (ManyMarks(), "ManyMarks.mark is 'MR'"),
        (ForeignForm(), "ForeignForm.form 'repo' is parsed by ForeignForm.parse_name as no name"),
        (OnlyFormatted(), "OnlyFormatted.format_pull_request_path writes 'changes/7', and OnlyFormatted.parse_path"),
        (MoreSegments(), "MoreSegments.format_repository_path writes 'projects/owner/repo', and"),
    ],
)
def test_names_that_contradict_themselves_are_found(names, cause):
    assert [fault.cause.startswith(cause) and bool(fault.remedy) for fault in find_name_faults(names)][:1] == [True]


@each_dialect
def test_proper_names_have_no_faults(name):
    assert list(find_name_faults(DIALECTS[name].names)) == []


@each_dialect
@given(data=st.data())
def test_names_that_are_formatted_are_parsed_as_the_same(name, data):
    dialect = DIALECTS[name]
    names, repository, number = dialect.names, draw_repository(data, dialect), data.draw(numbers)
    pr = names.create_pull_request_ref(repository, number)
    assert read_repository(f"work:{repository}", dialect) == repository
    assert read_repository(f"{dialect.url}/{names.format_repository_path(repository)}", dialect) == repository
    assert read_pull_request(f"work:{pr}", dialect) == pr
    assert read_pull_request(f"{dialect.url}/{names.format_pull_request_path(pr)}", dialect) == pr
    if page := names.format_issue_path(IssueRef(repository, number)):
        assert read_repository(f"{dialect.url}/{page}", dialect) == repository


@each_dialect
@given(text=texts)
def test_any_text_is_read_or_refused(name, text):
    for read in (read_repository, read_pull_request):
        found = read_or_refuse(read, text, DIALECTS[name])
        assert isinstance(found, InvalidArguments) or not {"", ".", ".."} & set(str(found).split("/"))
