"""A local directory's remotes, as the real git tells them."""

import os
import subprocess
from pathlib import Path

import anyio
import pytest

from stithy_core.errors import InvalidArguments
from stithy_core.forges import directory
from stithy_core.forges.directory import Remote, sort_remotes
from stithy_core.forges.references import match_forge, parse_repository
from stithy_core.model import RepositoryRef

URL = "https://git.example/o/r.git"
ORIGIN = (Remote("origin", URL),)


def git(place, *arguments):
    subprocess.run(["git", "-C", str(place), *arguments], check=True, capture_output=True)


def remotes(path):
    return anyio.run(directory.list_remotes, path)


def read_error(path):
    with pytest.raises(InvalidArguments) as caught:
        remotes(path)
    assert caught.value.details["errors"][0]["path"] == "directory"
    return caught.value


@pytest.fixture(autouse=True)
def settings(tmp_path, monkeypatch):
    """Nobody's own configuration, and an author for commits."""
    path = tmp_path / "gitconfig"
    path.write_text("[user]\nname = A\nemail = a@b.example\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return path


@pytest.fixture
def make(tmp_path):
    """Make a repository with an empty commit and the remotes given."""

    def make(name="repo", **urls):
        place = tmp_path / name
        place.mkdir()
        git(place, "init", "--quiet")
        git(place, "commit", "--quiet", "--allow-empty", "-m", "first")
        for remote, url in urls.items():
            git(place, "remote", "add", "--", remote, url)
        return place

    return make


@pytest.fixture
def fake_git(tmp_path, monkeypatch):
    """Put a shell script in git's place."""

    def fake(script):
        program = tmp_path / "bin" / "git"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(program.parent))

    return fake


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (URL, URL),
        ("https://user:hunter2@git.example/o/r.git", URL),
        ("http://git.example:3000/sub/o/r", "http://git.example:3000/sub/o/r"),
        ("git@git.example:o/r.git", "ssh://git.example/o/r.git"),
        ("ssh://git@git.example:2222/o/r.git", "ssh://git.example:2222/o/r.git"),
        ("server:o/r.git", "ssh://server/o/r.git"),
        ("git@server:o/r.git", "ssh://server/o/r.git"),
        ("https://git.example/o", "https://git.example/o"),
    ],
)
def test_urls(make, url, expected):
    assert remotes(make(origin=url)) == (Remote("origin", expected),)


@pytest.mark.parametrize(
    "url",
    [
        "/srv/git/x.git",
        "file:///srv/git/x.git",
        "../o/r",
        "o/r",
        "./o/r",
        "ext::sh -c x/y",
        "~/o/r",
    ],
)
def test_local_and_unreadable_urls_are_left_out(make, url):
    assert remotes(make(origin=url, other=URL)) == (Remote("other", URL),)


def test_every_url_can_be_read_again(make):
    """Also one whose pages were encoded twice."""
    (remote,) = remotes(make(origin="https://git.example/o/r/src/%252e%252e/%0a"))
    assert match_forge(parse_repository(remote.url), "https://git.example").repository == RepositoryRef("o", "r")


def test_no_remotes(make):
    assert remotes(make()) == ()


def test_several_remotes(make):
    found = remotes(make(upstream="git@git.example:up/r.git", origin=URL, fork="https://other.example/me/r"))
    assert {remote.name for remote in found} == {"upstream", "origin", "fork"}


def test_preferred_order():
    found = [Remote(name, URL) for name in ("zoo", "upstream", "origin", "fork")]
    assert [remote.name for remote in sort_remotes(found)] == ["origin", "fork", "upstream", "zoo"]


def test_fetch_url_counts(make):
    place = make(origin=URL)
    git(place, "remote", "set-url", "--push", "origin", "https://push.example/o/r")
    git(place, "remote", "set-url", "--add", "origin", "https://second.example/o/r")
    assert remotes(place) == ORIGIN


def test_remote_without_url(make):
    place = make(origin=URL)
    git(place, "config", "remote.bare.fetch", "+refs/heads/*:refs/remotes/bare/*")
    assert remotes(place) == ORIGIN


def test_partial_clone(make):
    """Git appends the filter to the line."""
    place = make(origin=URL)
    git(place, "config", "remote.origin.promisor", "true")
    git(place, "config", "remote.origin.partialclonefilter", "blob:none")
    assert remotes(place) == ORIGIN


def test_instead_of(make, settings):
    with settings.open("a") as file:
        file.write('[url "https://git.example/"]\ninsteadOf = work:\n')
    assert remotes(make(origin="work:o/r.git")) == ORIGIN


def test_subdirectory(make):
    inside = make(origin=URL) / "a" / "b"
    inside.mkdir(parents=True)
    assert remotes(inside) == ORIGIN


@pytest.mark.parametrize("name", ["with space", "-c", "ünïcode", "--upload-pack=x", "semi;colon $(x)", "new\nline"])
def test_odd_paths(make, name):
    assert remotes(make(name, origin=URL)) == ORIGIN


def test_bare_repository(tmp_path):
    git(tmp_path, "init", "--quiet", "--bare", "bare.git")
    git(tmp_path / "bare.git", "remote", "add", "origin", URL)
    assert remotes(tmp_path / "bare.git") == ORIGIN


def test_worktree(make, tmp_path):
    git(make(origin=URL), "worktree", "add", str(tmp_path / "tree"))
    assert remotes(tmp_path / "tree") == ORIGIN


def test_submodule_has_its_own_remotes(make):
    source, parent = make("source"), make("parent", origin="https://git.example/o/parent")
    git(parent, "-c", "protocol.file.allow=always", "submodule", "add", str(source), "sub")
    git(parent / "sub", "remote", "set-url", "origin", URL)
    assert remotes(parent / "sub") == ORIGIN


def test_symbolic_link(make, tmp_path):
    (tmp_path / "link").symlink_to(make(origin=URL))
    assert remotes(tmp_path / "link") == ORIGIN


def test_relative_and_home_paths(make, tmp_path, monkeypatch):
    place = make(origin=URL)
    monkeypatch.chdir(place)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert remotes(Path()) == remotes(Path("~/repo")) == ORIGIN


def test_environment_of_a_hook_does_not_redirect(make, monkeypatch):
    """Git sets GIT_DIR for its hooks, and a server may be started from one."""
    place = make(origin=URL)
    monkeypatch.setenv("GIT_DIR", str(make("other") / ".git"))
    assert remotes(place) == ORIGIN


def test_hostile_configuration_runs_nothing(make, tmp_path):
    place = make(origin=URL)
    script = f"touch {tmp_path / 'ran'}"
    for key in ("core.fsmonitor", "core.pager", "pager.remote", "core.sshCommand", "credential.helper", "core.editor"):
        git(place, "config", key, script)
    git(place, "config", "alias.remote", f"!{script}")
    assert remotes(place) == ORIGIN
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("path", ["nowhere", "x" * 5000, "nul\0", "lone\ud800"])
def test_not_there(tmp_path, path):
    assert "cannot be opened" in str(read_error(tmp_path / path))


def test_no_such_home():
    assert "cannot be opened" in str(read_error(Path("~nobody-of-that-name/x")))


def test_not_a_directory(settings):
    assert str(read_error(settings)) == f"{settings}: is not a directory"


def test_not_a_repository(tmp_path):
    assert str(read_error(tmp_path)) == f"{tmp_path}: is not inside a git repository"


def test_broken_configuration(make):
    place = make()
    (place / ".git" / "config").write_text("[broken")
    assert "git cannot read it: fatal: bad config line" in str(read_error(place))


def test_another_owner(make, monkeypatch):
    place = make(origin=URL)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    error = read_error(place)
    assert "belongs to another user" in str(error)
    assert f"git config --global --add safe.directory {place}" in error.suggestion


def test_no_git(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert "Install git" in read_error(tmp_path).suggestion


def test_slow_git_is_stopped(fake_git, tmp_path, monkeypatch):
    fake_git(f"echo $$ > {tmp_path}/pid; exec /bin/sleep 60")
    monkeypatch.setattr(directory, "_SECONDS", 0.5)
    assert "did not answer within 0.5 seconds" in str(read_error(tmp_path))
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_endless_answer(fake_git, tmp_path, monkeypatch):
    """It is read until the time is over, and not kept."""
    fake_git("exec /usr/bin/yes")
    monkeypatch.setattr(directory, "_SECONDS", 0.2)
    assert "did not answer" in str(read_error(tmp_path))


def test_long_answer(make, monkeypatch):
    monkeypatch.setattr(directory, "_MOST_BYTES", 50)
    assert "too many" in str(read_error(make(origin=URL, other=URL)))


def test_long_complaint(fake_git, tmp_path):
    """What git says is not quoted at any length."""
    fake_git('printf "fatal: %0300000d" 0 >&2; exit 128')
    assert len(str(read_error(tmp_path))) < 500
