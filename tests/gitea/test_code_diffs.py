"""Diffs that the real git wrote, cut into their files."""

import subprocess

import pytest

from stithy_core.spi import Unknown
from stithy_gitea.changes import split_patches


@pytest.fixture
def git(tmp_path):
    def run(*words):
        settings = ("-c", "user.name=smith", "-c", "user.email=smith@example.invalid", "-c", "core.quotePath=true")
        return subprocess.run(["git", "-C", tmp_path, *settings, *words], check=True, capture_output=True).stdout

    run("init", "--quiet")
    run("commit", "--quiet", "--allow-empty", "--message=begin")
    return run


@pytest.mark.parametrize(
    "name", ["plain", "with space", "tab\tin", 'quo"te', "back\\slash", "näme", " b/x", "new\nline"]
)
@pytest.mark.parametrize("content", [b"text\n", b""])
def test_every_name_is_found_again(git, tmp_path, name, content):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(content)
    git("add", "--all")
    assert list(split_patches(git("diff", "--cached"))) == [name]


def test_a_mode_has_no_hunks(git, tmp_path):
    file = tmp_path / "with space"
    file.write_text("x\n")
    git("add", "--all")
    git("commit", "--quiet", "--message=add")
    file.chmod(0o755)
    assert split_patches(git("diff")) == {"with space": ""}


def test_a_file_that_becomes_a_link_keeps_both_its_patches(git, tmp_path):
    file = tmp_path / "file"
    file.write_text("x\n")
    git("add", "--all")
    git("commit", "--quiet", "--message=add")
    file.unlink()
    file.symlink_to("target")
    assert split_patches(git("diff"))["file"].split("\n") == [
        "@@ -1 +0,0 @@",
        "-x",
        "@@ -0,0 +1 @@",
        "+target",
        "\\ No newline at end of file",
    ]


@pytest.mark.parametrize("option", ["--binary", "--no-binary"])
def test_a_binary_file_is_said_to_be_one(git, tmp_path, option):
    (tmp_path / "logo").write_bytes(b"\0" * 9)
    git("add", "--all")
    found = split_patches(git("diff", "--cached", *([option] if option == "--binary" else [])))
    assert isinstance(found["logo"], Unknown)


def test_a_renamed_file_stands_under_its_new_name(git, tmp_path):
    (tmp_path / "old name").write_text("a\nb\nc\nd\n")
    git("add", "--all")
    git("commit", "--quiet", "--message=add")
    git("mv", "old name", "new name")
    (tmp_path / "new name").write_text("a\nb\nc\nD\n")
    found = split_patches(git("diff", "HEAD", "--find-renames=40%"))
    assert list(found) == ["new name"]
    assert found["new name"].endswith("-d\n+D")


def test_the_file_at_which_a_diff_was_cut_is_left_out(git, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text("x\n" * 9)
    git("add", "--all")
    assert list(split_patches(git("diff", "--cached")[:-9], whole=False)) == ["a"]


def test_no_change_is_no_file():
    assert split_patches(b"") == split_patches(b"", whole=False) == {}
