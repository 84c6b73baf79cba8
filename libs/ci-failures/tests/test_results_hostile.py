"""Result files and archives that are made to do harm: refused, and said."""

import io
import zipfile
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ci_failures.results import archives
from ci_failures.results.archives import read_archive
from ci_failures.results.files import read_file
from ci_failures.results.paths import Tree
from ci_failures.results.tally import UnreadableFile

JUNIT = b'<testsuite><testcase classname="a" name="b"><failure message="no"/></testcase></testsuite>'
LAUGHS = b'<!DOCTYPE t [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>'
OUTSIDE = b'<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&a;"/></testsuite>'


def pack(entries, **options):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return raw


def read_names(raw):
    return list(read_archive("a.zip", raw))


@pytest.mark.parametrize("bomb", [LAUGHS, OUTSIDE])
def test_entities_are_refused(bomb):
    with pytest.raises(UnreadableFile, match="entities or a document type"):
        read_file("x", io.BytesIO(bomb))


def test_elements_without_end_are_refused():
    with pytest.raises(UnreadableFile, match="nested more than 100 deep"):
        read_file("x", io.BytesIO(b"<testsuite>" * 1_000))


def test_a_file_is_read_up_to_a_size(monkeypatch):
    monkeypatch.setattr("ci_failures.results.xml.LARGEST", 10_000)
    filled = JUNIT.replace(b"</testsuite>", b"<testcase/>" * 10_000 + b"</testsuite>")
    results = read_file("x", io.BytesIO(filled))
    assert [one.name for one in results.failures] == ["a.b"]
    assert "more than 10,000 bytes" in results.gap


def test_an_archive_gives_its_result_files_by_name():
    found = read_names(pack({"out/junit.xml": JUNIT, "read.me": b"hello", "picture.png": b"\x89PNG\x00"}))
    assert [(one.name, len(one.failures)) for one in found] == [("a.zip/out/junit.xml", 1)]


def test_an_archive_in_an_archive_is_not_opened():
    assert read_names(pack({"inner.zip": pack({"junit.xml": JUNIT}).getvalue()})) == []


def test_paths_of_entries_are_only_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = read_names(pack({"../../outside.xml": JUNIT, "/etc/x.xml": JUNIT}))
    assert len(found) == 2
    assert list(tmp_path.rglob("*")) == []


def test_an_entry_that_unpacks_too_well_is_refused_and_others_are_read():
    bomb = b"<testsuite>" + b" " * 11_000_000
    found = read_names(pack({"bomb.xml": bomb, "junit.xml": JUNIT}))
    assert [len(one.failures) for one in found] == [0, 1]
    assert "unpacks to more than 200 times its size" in found[0].gap


def test_an_archive_unpacks_to_a_limit(monkeypatch):
    monkeypatch.setattr(archives, "Budget", partial(archives.Budget, left=50))
    found = read_names(pack({"a.xml": JUNIT, "b.xml": JUNIT, "c.xml": JUNIT}))
    assert any("the archive unpacks to more than" in one.gap for one in found)


def test_too_many_entries_are_refused(monkeypatch):
    monkeypatch.setattr(archives, "MOST_ENTRIES", 2)
    with pytest.raises(UnreadableFile, match="3 entries, more than 2"):
        read_names(pack({"a": b"", "b": b"", "c": b""}))


def test_what_is_no_zip_is_said():
    with pytest.raises(UnreadableFile, match="not a readable zip archive"):
        read_names(io.BytesIO(b"PK\x03\x04 and nothing else"))


def test_a_damaged_entry_is_said():
    raw = bytearray(pack({"junit.xml": JUNIT * 1}).getvalue())
    raw[45] ^= 0xFF
    (only,) = read_names(io.BytesIO(bytes(raw)))
    assert only.gap.startswith("a.zip/junit.xml was not read")


@given(st.binary(max_size=400), st.integers(0, len(JUNIT)))
def test_no_bytes_raise_anything_else(noise, at):
    for content in (noise, JUNIT[:at] + noise + JUNIT[at:], JUNIT[:at]):
        with suppress(UnreadableFile):
            read_file("x", io.BytesIO(content))


class Dripping(io.BytesIO):
    """Bytes that come a few at a time."""

    few = 1

    def read(self, size=-1):
        return super().read(min(size, self.few) if size > 0 else size)


SAMPLE = ('<?xml version="1.0" encoding="utf-8"?>\n' + JUNIT.decode().replace("no", "n&#27;[1mö&#x0;&amp;")).encode()


@given(st.integers(1, 9))
def test_it_does_not_matter_how_a_file_comes_in(few):
    drip = Dripping(SAMPLE)
    drip.few = few
    assert read_file("x", drip) == read_file("x", io.BytesIO(SAMPLE))
    assert read_file("x", io.BytesIO(SAMPLE)).failures[0].message == "nö&"


@given(st.text(alphabet='{}[]":,\\ abActionTestPackagefail\n', max_size=300))
def test_no_lines_raise_anything_else(text):
    for begin in (
        '{"Time":"x","Action":"',
        '{ "type": "suite", "event": "',
        "TAP version 13\n",
        '{"results": {"tool": ',
    ):
        with suppress(UnreadableFile):
            read_file("x", io.BytesIO((begin + text).encode()))


FILES = ("src/a.py", "src/test/java/com/x/T.java", "one/util.py", "two/util.py", "deep/src/a.py")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/builds/x/src/a.py", ["src/a.py"]),
        ("/builds/x/deep/src/a.py", ["deep/src/a.py"]),
        ("com/x/T.java", ["src/test/java/com/x/T.java"]),
        ("C:\\agent\\src\\a.py", ["src/a.py"]),
        ("util.py", ["one/util.py", "two/util.py"]),
        ("/usr/lib/python3/site-packages/src/a.py", []),
        ("other/a.py", []),
    ],
)
def test_a_path_is_the_file_with_the_longest_common_end(path, found):
    assert list(Tree(FILES).matching(path)) == found


def test_a_path_that_may_be_two_files_is_said():
    text = b'<testsuite><testcase name="t" file="util.py"><failure message="a"/></testcase></testsuite>'
    results = read_file("x", io.BytesIO(text), files=FILES)
    assert results.gap == "util.py may be one/util.py or two/util.py"
    assert results.failures[0].file == "util.py"
