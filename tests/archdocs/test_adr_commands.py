"""`stithy adr`: new records in the style of their folder, acceptance and supersession on both sides."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from stithy_testing import make_app

FOLDERS = {
    "nygard": {
        "docs/adr/0001-a.md": (
            "# 1. A\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nX\n\n## Decision\n\nX\n"
        ),
    },
    "adr-tools": {
        "doc/adr/0001-a.md": "# 1. A\n\n## Status\n\nSuperceded by [2. B](0002-b.md)\n\n## Context\n\nX\n",
        "doc/adr/0002-b.md": "# 2. B\n\n## Status\n\nAccepted\n\nSupercedes [1. A](0001-a.md)\n\n## Context\n\nX\n",
    },
    "madr": {
        "docs/decisions/0001-a.md": (
            "---\nstatus: accepted\ndate: 2020-01-01\n---\n# A\n\n## Context and Problem Statement\n\nX\n"
        ),
    },
    "quoted": {
        "docs/decisions/0001-a.md": (
            '---\ntitle: "ADR-0001: A"\nstatus: "accepted"\n---\n\n# ADR-0001: A\n\n## Context\n\nX\n'
        ),
    },
    "keyed": {
        "docs/adr/ADR-001.md": "# ADR-001: A\n\n- Status: Superseded\n- Superseded by: ADR-002\n\n## Context\n\nX\n",
        "docs/adr/ADR-002.md": "# ADR-002: B\n\n- Status: Accepted\n- Supersedes: ADR-001\n\n## Context\n\nX\n",
    },
    "bullets": {"docs/adr/adr-9-a.md": "# ADR 9: A\n\n* Status: accepted\n* Date: 2020-01-01\n\n## Context\n\nX\n"},
    "bold": {"docs/adr/001_a_b.md": "# A b\n\n**Status:** Accepted\n**Date:** 2020-01-01\n\n## Context\n\nX\n"},
    "table": {
        "docs/adr/0001-a.md": (
            "# A\n\n| | |\n|---|---|\n| Status | Accepted |\n| Date | 2020-01-01 |\n\n## Context\n\nX\n"
        ),
    },
    "emoji": {"docs/adr/0001-a.md": "# 1. A\n\n## Status\n\n✅ **Accepted**\n\n## Context\n\nX\n"},
    "dated": {"docs/adr/20200101-a.md": "# A\n\n- Status: accepted\n\n## Context\n\nX\n"},
    "folders": {"docs/adr/0001-a/README.md": "# 1. A\n\n## Status\n\nAccepted\n\n## Context\n\nX\n"},
    "rst": {"docs/adr/0001-a.rst": "1. A\n====\n\nStatus\n------\n\nAccepted\n\nContext\n-------\n\nX\n"},
    "asciidoc": {"docs/adr/0001-a.adoc": "= 1. A\n\n:date: 2020-01-01\n\n== Status\n\nAccepted\n\n== Context\n\nX\n"},
    "windows": {
        "docs/adr/0001-a.md": b"\xef\xbb\xbf# 1. A\r\n\r\n## Status\r\n\r\nAccepted\r\n\r\n## Context\r\n\r\nX\r\n"
    },
}
NAMES = {"adr-tools": "2", "keyed": "2", "bullets": "9", "dated": "a", "bold": "1"}
"""The names of records that hold, in the folders where that is not 1."""
BARE = "# 1. A\n\n## Status\n\nAccepted\n\n## Context\n\nX\n"


@pytest.fixture
def adr(stithy):
    return lambda files, *words: stithy(files, *words, command="adr")


def read_all(root):
    return {one.relative_to(root).as_posix(): one.read_bytes() for one in root.rglob("*") if one.is_file()}


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_new_record_has_the_style_of_its_folder_and_both_sides_are_linked(adr, tmp_path, kind):
    result = adr(FOLDERS[kind], "new", "Use Kafka", "--supersedes", NAMES.get(kind, "1"))
    assert (result.exit_code, result.stderr) == (0, "")
    checked = adr({}, "check", "--strict")
    assert (checked.exit_code, checked.stdout) == (0, f"{len(FOLDERS[kind]) + 1} documents, 0 errors, 0 warnings\n")
    (path,) = read_all(tmp_path).keys() - FOLDERS[kind].keys() - {"stithy.toml"}
    assert Path(path).suffix == Path(next(iter(FOLDERS[kind]))).suffix
    assert "X" not in (tmp_path / path).read_text()
    assert "2020-01-01" not in (tmp_path / path).read_text()


@pytest.mark.parametrize(
    ("kind", "path", "line"),
    [
        ("nygard", "docs/adr/0002-use-kafka.md", "# 2. Use Kafka"),
        ("adr-tools", "doc/adr/0003-use-kafka.md", "Supersedes [2. B](0002-b.md)"),
        ("madr", "docs/decisions/0002-use-kafka.md", "status: accepted; supersedes ADR-0001"),
        ("quoted", "docs/decisions/0002-use-kafka.md", 'title: "ADR-0002: Use Kafka"'),
        ("keyed", "docs/adr/ADR-003.md", "- Supersedes: ADR-002"),
        ("bullets", "docs/adr/adr-10-use-kafka.md", "* Status: accepted; supersedes [9. A](adr-9-a.md)"),
        ("bold", "docs/adr/002_use_kafka.md", "**Status:** Accepted; supersedes [1. A b](001_a_b.md)"),
        ("table", "docs/adr/0002-use-kafka.md", "| Status | Accepted; supersedes [1. A](0001-a.md) |"),
        ("emoji", "docs/adr/0002-use-kafka.md", "**Accepted**"),
        ("folders", "docs/adr/0002-use-kafka/README.md", "Supersedes [1. A](../0001-a/README.md)"),
        ("rst", "docs/adr/0002-use-kafka.rst", "Supersedes :doc:`1. A <0001-a>`"),
        ("asciidoc", "docs/adr/0002-use-kafka.adoc", "Supersedes xref:0001-a.adoc[1. A]"),
    ],
)
def test_names_numbers_and_links_follow_the_folder(adr, tmp_path, kind, path, line):
    adr(FOLDERS[kind], "new", "Use Kafka", "--supersedes", NAMES.get(kind, "1"))
    assert line in (tmp_path / path).read_text().split("\n")


@pytest.mark.parametrize(("text", "ends"), [(BARE, b"\n"), (BARE.replace("\n", "\r\n"), b"\r\n")])
def test_a_new_record_has_the_line_ends_of_the_newest_one(adr, tmp_path, text, ends):
    assert adr({"docs/adr/0001-a.md": text.encode()}, "new", "Use Kafka").exit_code == 0
    made = (tmp_path / "docs/adr/0002-use-kafka.md").read_bytes()
    assert made.count(ends) == made.count(b"\n") > 1


@pytest.mark.parametrize("gap", ["", "\n"])
def test_the_attributes_of_a_title_stay_as_near_to_it_as_they_were(adr, tmp_path, gap):
    text = f"= 1. A\n{gap}:date: 2020-01-01\n\n== Status\n\nAccepted\n\n== Context\n\nX\n"
    assert adr({"docs/adr/0001-a.adoc": text}, "new", "Use Kafka").exit_code == 0
    assert (tmp_path / "docs/adr/0002-use-kafka.adoc").read_text().startswith(f"= 2. Use Kafka\n{gap}:date: 2")


@pytest.mark.parametrize("kind", FOLDERS)
def test_only_the_status_of_a_superseded_record_changes(adr, tmp_path, kind):
    root = tmp_path
    adr(FOLDERS[kind], "check")
    before = read_all(root)
    adr({}, "new", "Use Kafka", "--supersedes", NAMES.get(kind, "1"))
    (path,) = [path for path, data in read_all(root).items() if path in before and data != before[path]]
    old, new = (data.split(b"\n") for data in (before[path], read_all(root)[path]))
    assert sum(one not in new for one in old) == 1
    assert sum(one not in old for one in new) <= (2 if kind == "keyed" else 1)


def test_a_proposed_record_supersedes_once_it_is_accepted(adr, tmp_path):
    adr(FOLDERS["nygard"], "new", "B", "--supersedes", "1", "--status", "proposed")
    assert (tmp_path / "docs/adr/0001-a.md").read_text() == FOLDERS["nygard"]["docs/adr/0001-a.md"]
    assert adr({}, "check", "--strict").exit_code == 0
    result = adr({}, "accept", "2")
    assert result.stdout == ("docs/adr/0002-b.md: accepted\ndocs/adr/0001-a.md: superseded by docs/adr/0002-b.md\n")
    assert "Superseded by [2. B](0002-b.md)" in (tmp_path / "docs/adr/0001-a.md").read_text()
    assert adr({}, "check", "--strict").exit_code == 0
    before = read_all(tmp_path)
    assert "already" in adr({}, "accept", "2").stdout
    assert read_all(tmp_path) == before


def test_supersede_links_two_records_and_completes_one_side(adr, tmp_path):
    files = {
        "docs/adr/0001-a.md": BARE + "\n## Status of x\n\nfree.\n",
        "docs/adr/0002-b.md": "# 2. B\n\n## Status\n\nAccepted. It follows the sun.\n\nSupersedes [1. A](0001-a.md)\n",
    }
    assert adr(files, "supersede", "1", "--by", "0002-b").exit_code == 0
    assert (tmp_path / "docs/adr/0002-b.md").read_text() == files["docs/adr/0002-b.md"]
    assert "already" in adr({}, "supersede", "1", "--by", "2").stdout
    assert adr({"docs/adr/0003-c.md": BARE.replace("1. A", "3. C")}, "supersede", "2", "--by", "3").exit_code == 0
    assert "Superseded by [3. C](0003-c.md). It follows the sun" in (tmp_path / "docs/adr/0002-b.md").read_text()
    assert adr({}, "check", "--strict").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("accept", "7"), "unknown record '7'"),
        (("accept", "1"), "is rejected, so it cannot be accepted"),
        (("accept", "2"), "it has no status"),
        (("accept", "4"), "ambiguous record '4'; matches docs/adr/0004-d.md, docs/adr/0004-e.md"),
        (("supersede", "1", "--by", "1"), "cannot supersede itself"),
        (("supersede", "3", "--by", "2"), "it has no status"),
        (("supersede", "5", "--by", "3"), "cannot be edited"),
        (("new", " \n\u200b/../"), "no letter and no digit"),
        (("new", "x" * 201), "201 characters"),
        (("new", "A", "--folder", ".."), "not in a location"),
        (("new", "A", "--folder", "docs/adr/../../x"), "not in a location"),
        (("new", "A", "--folder", "/etc"), "not in a location"),
        (("new", "A", "--folder", "docs/adr/out"), "leads out of the project"),
        (("new", "Template"), "name is one of indexes and templates"),
        (("new", "A", "--supersedes", "nothing"), "unknown record"),
        (("new",), "Missing argument"),
    ],
)
def test_what_cannot_be_done_ends_with_2_and_changes_nothing(adr, tmp_path, words, said):
    (tmp_path / "docs/adr").mkdir(parents=True)
    (tmp_path / "docs/adr/out").symlink_to(tmp_path.parent)
    files = {
        "docs/adr/0001-a.md": BARE.replace("Accepted", "Rejected"),
        "docs/adr/0002-b.md": "# 2. B\n",
        "docs/adr/0003-c.md": BARE.replace("1. A", "3. C"),
        "docs/adr/0004-d.md": BARE,
        "docs/adr/0004-e.md": BARE,
        "docs/adr/0005-f.md": BARE.replace("X", "\xe9").encode("latin-1"),
    }
    adr(files, "check")
    before = read_all(tmp_path)
    result = adr({}, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert read_all(tmp_path) == before


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("../../etc/passwd", "0002-etc-passwd.md"),
        ("A\n## Status\n\nRejected", "0002-a-status-rejected.md"),
        ("Größe: 決定 für\u202e Ömer's Я", "0002-große-決定-fur-omers-я.md"),
        ("--- <!-- x --> `y` [z](w) | $(rm) \\", "0002-x-y-z-w-rm.md"),
        ("word " * 39, "0002-" + "-".join(["word"] * 12) + ".md"),
        ("CON", "0002-con.md"),
        ("Keep templates for mails", "0002-keep-templates-for-mails.md"),
    ],
)
def test_hostile_titles_stay_one_file_and_one_heading(adr, tmp_path, title, name):
    assert adr(FOLDERS["nygard"], "new", "--", title).exit_code == 0
    assert (
        sorted(read_all(tmp_path))
        == ["docs/adr/0001-a.md", f"docs/adr/{name}"] + ["stithy.toml"] * (tmp_path / "stithy.toml").is_file()
    )
    assert adr({}, "supersede", "1", "--by", "2").exit_code == 0
    text = (tmp_path / "docs/adr" / name).read_text()
    assert [line for line in text.split("\n") if line.startswith("#")][1:] == ["## Status", "## Context", "## Decision"]
    assert "\nProposed\n" in text


SEPARATED = {"docs/adr/0001-a.md": "# 1. A\n\n## Status\n\nAccepted\n\nX\u2028Y\x0cZ\x85\n\n## Context\n\nX\n"}


@pytest.mark.parametrize("files", [FOLDERS["nygard"], SEPARATED], ids=["plain", "other separators of lines"])
def test_a_dry_run_shows_a_diff_that_git_applies(adr, tmp_path, files):
    adr(files, "check")
    before = read_all(tmp_path)
    result = adr({}, "new", "B", "--supersedes", "1", "--dry-run")
    assert (result.exit_code, read_all(tmp_path)) == (0, before)
    assert "created, accepted" in result.stderr
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=result.stdout.encode(), check=True)
    patched = read_all(tmp_path)
    for path in patched.keys() - before.keys():
        (tmp_path / path).unlink()
    (tmp_path / "docs/adr/0001-a.md").write_bytes(before["docs/adr/0001-a.md"])
    adr({}, "new", "B", "--supersedes", "1")
    assert read_all(tmp_path) == patched


@pytest.mark.parametrize(
    ("files", "words", "expected"),
    [
        ({}, (), ("docs/adr/0001-use-kafka.md", "## Decision")),
        ({"docs/decisions/README.md": "x"}, (), ("docs/decisions/0001-use-kafka.md", "## Decision Outcome")),
        ({".adr-dir": "doc/arch\n"}, (), ("doc/arch/0001-use-kafka.md", "## Decision")),
        ({}, ("--template", "madr", "--folder", "doc/adr"), ("doc/adr/0001-use-kafka.md", "## Considered Options")),
    ],
)
def test_the_first_record_begins_a_folder(adr, tmp_path, files, words, expected):
    path, heading = expected
    assert adr(files, "new", "Use Kafka", *words).exit_code == 0
    assert heading in (tmp_path / path).read_text().split("\n")
    assert adr({}, "check", "--strict").exit_code == 0


def test_numbers_are_shared_by_folders_that_share_them(adr, tmp_path):
    files = {"docs/adr/a/0001-x.md": BARE, "docs/adr/b/0002-y.md": BARE.replace("1. A", "2. Y")}
    adr(files, "new", "Z", "--folder", "docs/adr/a")
    assert (tmp_path / "docs/adr/a/0003-z.md").is_file()
    adr({"docs/adr/b/0001-w.md": BARE}, "new", "V", "--folder", "docs/adr/b")
    assert (tmp_path / "docs/adr/b/0003-v.md").is_file()


def test_records_written_at_the_same_time_have_numbers_of_their_own(adr, tmp_path):
    adr(FOLDERS["nygard"], "check")
    make_app(tmp_path, '[archdocs]\nroot = "."\n')
    code = "import sys; from stithy_core.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "adr", "new"]
    (tmp_path / "stithy.toml").write_text('[archdocs]\nroot = "."\n')
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(subprocess.run, [*command, f"Use {one}"], cwd=tmp_path, check=True) for one in "pqrs"]
    assert all(one.result().returncode == 0 for one in runs)
    names = sorted(one.name for one in (tmp_path / "docs/adr").iterdir())
    assert [name[:4] for name in names] == ["0001", "0002", "0003", "0004", "0005"]


def test_a_lock_of_a_process_that_was_killed_is_named(adr, tmp_path, monkeypatch):
    monkeypatch.setattr("stithy_archdocs.authoring.record_changes.PATIENCE", 0)
    result = adr({**FOLDERS["nygard"], "docs/adr/.stithy-adr.lock": ""}, "new", "B")
    assert result.exit_code == 2
    assert ".stithy-adr.lock exists. Delete that file" in result.stderr


def test_a_folder_that_cannot_be_edited_as_a_whole_stays_as_it_was(adr, tmp_path):
    files = {**FOLDERS["nygard"], "docs/adr/0002-b.md": BARE.replace("\n", "\r\n").replace("X\r\n", "X\n")}
    adr(files, "check")
    before = read_all(tmp_path)
    result = adr({}, "new", "C", "--supersedes", "1", "--supersedes", "2")
    assert (result.exit_code, read_all(tmp_path)) == (2, before)
    assert "mixed line ends" in result.stderr


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (BARE + "\n[x](no.md)\n", "broken-link"),
        ("# 2. A\n\n## Status\n\nAccepted\n", "number-mismatch"),
        ("# 1. A\n\n## Status\n\nHot\n", "unparsed-status"),
        ("# 1. A\n\n## Status\n\nSuperseded by [2](0002-b.md)\n", "one-sided-supersession"),
    ],
)
def test_check_reports_records_only(adr, text, rule):
    files = {
        "docs/adr/0001-a.md": text,
        "docs/adr/0002-b.md": BARE.replace("1. A", "2. B"),
        "mcp/resources/patterns/p.md": "# P\n\n[x](no.md)\n",
    }
    result = adr(files, "check", "--strict")
    assert result.exit_code == 1
    assert f"[{rule}]" in result.stdout.split("\n")[0]
    assert "patterns" not in result.stdout
    assert result.stdout.endswith(
        f"2 documents, {int(rule == 'broken-link')} errors, {int(rule != 'broken-link')} warnings\n"
    )
