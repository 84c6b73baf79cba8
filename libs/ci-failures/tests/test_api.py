"""The public interface of the library, and parsers that other distributions register."""

import gzip
import io
import json
import os
import re
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest

import ci_failures
from ci_failures.cli import parse as parse_command
from ci_failures.cli import run_command
from ci_failures.report_format import FORMS

HERE = Path(__file__).parent
LOG = HERE / "logs" / "pytest" / "9-plain.log"
ANVIL = """
from ci_failures import Failure, Parser

class AnvilParser(Parser):
    tool = "anvil"
    wakes = ("ANVIL broken: ",)

    def __init__(self):
        self.failures = []

    def read(self, line):
        self.failures.append(Failure(tool="anvil", name=line.text.rpartition(": ")[2], log_line=line.number))
        return False

    def finish(self):
        return self.failures

    @classmethod
    def rerun(cls, failures):
        return "anvil test " + " ".join(failure.name for failure in failures)

class NotAParser:
    pass
"""


@pytest.mark.parametrize("wrap", [bytes, io.BytesIO, lambda data: io.BytesIO(gzip.compress(data))])
def test_bytes_and_streams_give_the_same_report(wrap):
    report, whole = ci_failures.parse(wrap(LOG.read_bytes()), name="a"), ci_failures.parse_files([LOG])
    assert report.status == "failed"
    assert report.failures == whole.failures


def test_a_stream_stays_open():
    stream = io.BytesIO(LOG.read_bytes())
    ci_failures.parse(stream)
    assert not stream.closed


def test_a_pipe_is_a_stream():
    out, into = os.pipe()

    def write():
        with os.fdopen(into, "wb") as pipe, suppress(BrokenPipeError):
            pipe.write(LOG.read_bytes())

    writer = threading.Thread(target=write)
    writer.start()
    with os.fdopen(out, "rb") as stream:
        report = ci_failures.parse(stream)
    writer.join()
    assert report.failures == ci_failures.parse_files([LOG]).failures


def test_a_passed_log_has_no_failures():
    report = ci_failures.parse(b"===== 5 passed in 0.10s =====\n")
    assert (report.status, report.failures, report.flaky, report.gaps) == ("passed", (), (), ())


def test_an_unknown_log_has_a_gap_and_the_tools_that_were_looked_for():
    report = ci_failures.parse(b"hello\n", name="deploy.log")
    assert report.status == "unknown"
    assert report.gaps[0].startswith("deploy.log: ")
    assert "pytest" in report.looked_for


@pytest.mark.parametrize("data", [b"%PDF-1.4\n", gzip.compress(LOG.read_bytes())[:900]], ids=["pdf", "cut gzip"])
def test_what_cannot_be_read_raises(data):
    with pytest.raises(ci_failures.UnreadableFile):
        ci_failures.parse(data)


def test_a_parser_of_ones_own_reads_without_registration():
    scope = {}
    exec(ANVIL, scope)
    parsers = ci_failures.load_parsers([scope["AnvilParser"]])
    report = ci_failures.parse(b"ANVIL broken: horn\n", parsers=parsers)
    assert [one.name for one in report.failures] == ["horn"]
    assert report.commands == ("anvil test horn",)


def test_registered_parsers_are_loaded_and_broken_ones_are_skipped(tmp_path):
    """In a process of its own: the command loads them once."""
    info = tmp_path / "anvil_ci-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: anvil-ci\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[ci_failures]\nanvil = anvil_ci:AnvilParser\nbad = anvil_ci:NotAParser\ngone = no_such_module:Parser\n",
        encoding="utf-8",
    )
    (tmp_path / "anvil_ci.py").write_text(ANVIL, encoding="utf-8")
    (tmp_path / "build.log").write_text("ANVIL broken: horn\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", "from ci_failures.cli import main; main()", str(tmp_path / "build.log")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (1, "  anvil test horn")
    for name in ("bad", "gone"):
        assert f"cannot load the parser '{name}' of anvil-ci 1.0: upgrade or uninstall it" in ran.stderr


def test_nothing_of_stithy_is_imported():
    code = "import sys, ci_failures; ci_failures.parse(b'x'); print([m for m in sys.modules if 'stithy' in m])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # Editable installations of this repository may be imported by the interpreter itself, as .pth files.
    assert [name for name in eval(ran.stdout) if name.startswith("stithy_")] == []


FORGED = "x\n::error::forged\n##[add-matcher]m\n##vso[task.setvariable]v, 100%: \u202e"
HOSTILE = f"""<testsuite><testcase classname="a::b,c" name={quoteattr(FORGED)}
file="src/a.py" line="3"><failure message="bad">{escape(FORGED)} ]]&gt;</failure></testcase></testsuite>"""
COMMANDS = re.compile(r"^\s*::|##\[|##vso\[", re.MULTILINE)
"""What runners of GitHub and Azure execute where it is printed."""


@pytest.fixture
def write(tmp_path, capsys):
    """Return what the command prints of a result file in a form."""

    def run(form, content=HOSTILE):
        file = tmp_path / "junit.xml"
        file.write_text(content, encoding="utf-8")
        code = run_command(parse_command, ["--format", form, str(file)], "ci-failures")
        return code, capsys.readouterr().out

    return run


@pytest.mark.parametrize("form", [form for form in FORMS if form != "github"])
def test_no_text_of_a_test_becomes_a_command_of_a_runner(write, form):
    code, written = write(form)
    assert (code, COMMANDS.findall(written)) == (1, [])


def test_annotations_of_github_are_one_command_each_with_everything_escaped(write):
    code, written = write("github")
    (line,) = written.splitlines()
    assert code == 1
    assert line.startswith("::error file=src/a.py,line=3,title=")
    properties, _, message = line[2:].partition("::")
    assert properties.count(",") == 2
    assert ("%25" in properties, message) == (True, "bad")
    assert COMMANDS.findall(line[2:]) == []


def test_junit_of_a_report_is_read_back(write):
    _, written = write("junit")
    (one,) = ci_failures.parse(written.encode()).failures
    assert (one.file, one.line) == ("src/a.py", 3)


def test_an_unknown_status_is_an_error_for_who_reads_junit_or_annotations(write):
    assert '<error message="It is not known' in write("junit", "hello\n")[1]
    assert write("github", "hello\n")[1].startswith("::warning title=incomplete::")


def test_reports_of_code_quality_and_sarif_have_the_fields_that_are_required(write):
    (finding,) = json.loads(write("gitlab")[1])
    assert finding["location"] == {"path": "src/a.py", "lines": {"begin": 3}}
    assert {"description", "check_name", "fingerprint", "severity"} <= finding.keys()
    (run,) = json.loads(write("sarif")[1])["runs"]
    (result,) = run["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/a.py"
    assert result["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}
