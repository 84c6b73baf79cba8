"""`ci-failures`: the same entries from logs and result files at hand, whatever they are packed in."""

import gzip
import io
import json
import os
import sys
import threading
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from ci_failures import cli, failure_report, load_parsers
from ci_failures.model import Failure, Parser

HERE = Path(__file__).parent
LOG = HERE / "logs/pytest/9-plain.log"
XML = HERE / "results/pytest/9-xunit2.xml"
TEST = "tests/test_shop.py::test_total_is_wrong"


class Anvil(Parser):
    """A parser of a third party."""

    tool = "anvil"
    wakes = ("ANVIL CRACKED",)

    def __init__(self):
        self.found = []

    def read(self, line):
        self.found.append(Failure(tool="anvil", name=line.text.split()[-1], log_line=line.number))
        return False

    def finish(self):
        return self.found

    @classmethod
    def rerun(cls, failures):
        return f"anvil {' '.join(one.name for one in failures)}"


PARSERS = load_parsers([Anvil])


@pytest.fixture
def parse(monkeypatch, capsys):
    """Run the command, and return its exit code and what it wrote."""
    monkeypatch.setattr(failure_report, "_default_parsers", lambda: PARSERS)

    def run(*words):
        code = cli.run_command(cli.parse, [str(word) for word in words], "ci-failures")
        return code, capsys.readouterr()

    return run


@pytest.fixture
def standard_input(monkeypatch):
    """Put bytes into a pipe: nobody can seek in it."""
    open_ones = []

    def give(content):
        out, into = os.pipe()
        writer = threading.Thread(target=_write, args=(into, content))
        writer.start()
        read = io.TextIOWrapper(os.fdopen(out, "rb"))
        open_ones.append((read, writer))
        monkeypatch.setattr(sys, "stdin", read)

    yield give
    for read, writer in open_ones:
        read.close()
        writer.join()


def _write(into, content):
    with os.fdopen(into, "wb") as pipe, suppress(BrokenPipeError):
        pipe.write(content)


def rows(written):
    return [row["name"] for row in json.loads(written.out)["failures"]]


def test_a_log_has_a_line_for_each_failure_with_its_place(parse):
    code, written = parse(LOG)
    assert code == 1
    line = next(line for line in written.out.splitlines() if TEST in line)
    assert line.startswith(f"FAILED  tests/test_shop.py:14  {TEST} [pytest, high]  AssertionError: the till is broken")


def test_the_commands_that_run_it_again_stand_at_the_end(parse):
    lines = parse(LOG)[1].out.splitlines()
    assert lines[lines.index("Run again:") + 1].startswith("  pytest ")


def test_a_log_and_its_result_file_are_one_list(parse):
    both, log = rows(parse("--json", LOG, XML)[1]), rows(parse("--json", LOG)[1])
    assert sorted(both) == sorted(log)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("file", [LOG, XML], ids=["log", "xml"])
def test_it_may_come_from_standard_input_and_be_packed(parse, standard_input, pack, file):
    standard_input(pack(file.read_bytes()))
    assert rows(parse("--json", "-")[1]) == rows(parse("--json", file)[1])


def archive():
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("unit/3_Run tests.txt", LOG.read_bytes())
        packed.writestr("junit.xml", XML.read_bytes())
        packed.writestr("program", b"\x7fELF\x02\x01\x01\x00\x00\x00" + bytes(500) + b"ANVIL CRACKED here")
    return raw.getvalue()


def test_a_zip_may_have_logs_and_result_files(parse, tmp_path):
    (tmp_path / "run.zip").write_bytes(archive())
    assert sorted(rows(parse("--json", tmp_path / "run.zip")[1])) == sorted(rows(parse("--json", LOG)[1]))


def test_a_zip_may_come_from_standard_input(parse, standard_input):
    standard_input(archive())
    assert len(rows(parse("--json", "-")[1])) == len(rows(parse("--json", LOG)[1]))


def test_a_log_in_utf_16_is_read(parse, tmp_path):
    (tmp_path / "wide.log").write_text(LOG.read_text(encoding="utf-8"), encoding="utf-16")
    assert rows(parse("--json", tmp_path / "wide.log")[1]) == rows(parse("--json", LOG)[1])


def test_parsers_of_third_parties_read_too(parse, tmp_path):
    (tmp_path / "log").write_text("ANVIL CRACKED at-once\n", encoding="utf-8")
    code, written = parse(tmp_path / "log")
    assert (code, written.out.splitlines()[-1]) == (1, "  anvil at-once")


def test_nothing_that_failed_is_0(parse, tmp_path):
    (tmp_path / "log").write_text("===== 5 passed in 0.10s =====\n", encoding="utf-8")
    code, written = parse(tmp_path / "log")
    assert (code, written.out) == (0, "0 failed\n")


def test_a_flaky_test_is_no_failure(parse, tmp_path):
    (tmp_path / "x.xml").write_text(
        '<testsuite><testcase name="flips"><flakyFailure message="once"/></testcase></testsuite>', encoding="utf-8"
    )
    code, written = parse(tmp_path / "x.xml")
    assert (code, written.out) == (0, "FLAKY   flips [junit, high]  once\n0 failed, 1 flaky\n")


def test_what_a_file_lacks_is_said(parse, tmp_path):
    (tmp_path / "x.xml").write_text('<testsuite failures="2"><testcase name="a"/></testsuite>', encoding="utf-8")
    assert "x.xml: it counts 2 failures, and has 0" in parse(tmp_path / "x.xml")[1].out


def test_what_cannot_be_read_is_2_and_the_rest_is_told(parse, tmp_path):
    code, written = parse(tmp_path / "nowhere.log", LOG)
    assert code == 2
    assert "nowhere.log: No such file or directory" in written.out
    assert TEST in written.out


def test_a_bomb_is_2(parse, tmp_path):
    (tmp_path / "x.xml").write_text('<!DOCTYPE a [<!ENTITY b "c">]><testsuite/>', encoding="utf-8")
    code, written = parse(tmp_path / "x.xml")
    assert code == 2
    assert "x.xml: its XML has entities" in written.out


@pytest.mark.parametrize("words", [[], ["--what"]])
def test_a_wrong_command_line_is_2(parse, words):
    code, written = parse(*words)
    assert code == 2
    assert "Usage: ci-failures" in written.err


def test_help_is_0(parse):
    code, written = parse("--help")
    assert code == 0
    assert "exit code is 1 when something failed" in " ".join(written.out.split())


def test_nothing_steers_the_terminal(parse, tmp_path):
    (tmp_path / "x.xml").write_text(
        '<testsuite><testcase name="a\u202eb"><failure message="c&#x9b;d"/></testcase></testsuite>', encoding="utf-8"
    )
    written = parse(tmp_path / "x.xml")[1].out
    assert "a\\u202eb" in written
    assert "c\\u009bd" in written
