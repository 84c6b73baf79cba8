"""Reports in JSON and XML of test runners and linters, recognized by their content, also packed and in folders."""

import bz2
import gzip
import io
import json
import lzma
import sys
import tarfile
from pathlib import Path

import pytest

import ci_failures
from ci_failures.results.formats import READERS, format_reader

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

HOME = "/home/runner/work/app/app/"
STACK = f"Error: bad\n    at Object.<anonymous> ({HOME}src/a.test.js:7:3)"


def jest(**more):
    failed = {"ancestorTitles": ["Auth", "login"], "title": "rejects", "status": "failed", "failureMessages": [STACK]}
    passed = {"ancestorTitles": [], "title": "ok", "status": "passed", "failureMessages": []}
    tests = [{**failed, **more}, passed]
    file = {"name": f"{HOME}src/a.test.js", "status": "failed", "message": "", "assertionResults": tests}
    return {"numFailedTests": 1, "testResults": [file]}


def playwright(status):
    error = {"message": "\x1b[31mbad\x1b[0m", "location": {"file": f"{HOME}tests/a.spec.ts", "line": 9, "column": 3}}
    results = [{"status": "failed", "error": error}, {"status": "passed"}]
    test = {"projectName": "chromium", "status": status, "results": results}
    spec = {"title": "rejects", "file": "a.spec.ts", "line": 8, "column": 7, "tests": [test]}
    suite = {"title": "a.spec.ts", "suites": [{"title": "Auth", "specs": [spec]}]}
    return {"config": {"rootDir": f"{HOME}tests"}, "suites": [suite], "errors": []}


def lines(*rows):
    return "\n".join(map(json.dumps, rows))


SARIF = {
    "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
    "version": "2.1.0",
    "runs": [
        {
            "tool": {"driver": {"name": "Semgrep", "rules": [{"id": "r2", "defaultConfiguration": {"level": "note"}}]}},
            "results": [
                {
                    "ruleId": "r1",
                    "level": "error",
                    "message": {"text": "bad"},
                    "locations": [
                        {
                            "physicalLocation": {
                                "artifactLocation": {"uri": "src/a.py"},
                                "region": {"startLine": 3, "startColumn": 2},
                            }
                        }
                    ],
                },
                {"ruleId": "r2", "message": {"text": "only a note"}},
                {"ruleId": "r3", "message": {"text": "known"}, "suppressions": [{"kind": "external"}]},
            ],
        }
    ],
}
FAILURE = {"status": "failed", "error_message": "boom"}
CUCUMBER = [
    {
        "uri": "features/a.feature",
        "keyword": "Feature",
        "name": "Cart",
        "elements": [
            {"type": "scenario", "name": "Adding", "line": 3, "steps": [{"keyword": "Given ", "result": FAILURE}]},
            {"type": "scenario", "name": "Fine", "line": 9, "steps": [{"result": {"status": "passed"}}]},
        ],
    }
]
CRASH = {"path": f"{HOME}tests/test_a.py", "lineno": 3, "message": "assert 1 == 2"}
RSPEC = {
    "version": "3.12.0",
    "examples": [
        {
            "id": "./spec/a_spec.rb[1:1]",
            "full_description": "A x",
            "status": "failed",
            "file_path": "./spec/a_spec.rb",
            "line_number": 2,
            "exception": {"message": "expected: 1"},
        }
    ],
    "summary": {"failure_count": 1},
}
MOCHA = {
    "stats": {"suites": 1, "failures": 1},
    "passes": [{"title": "a"}],
    "failures": [{"title": "b", "fullTitle": "A b", "err": {"message": "bad", "stack": STACK}}],
}
DART = lines(
    {"protocolVersion": "0.1.1", "type": "start", "time": 0},
    {"suite": {"id": 0, "path": "test/a_test.dart"}, "type": "suite"},
    {"test": {"id": 3, "name": "adds", "suiteID": 0, "line": 5}, "type": "testStart"},
    {"testID": 3, "error": "Expected: 1", "type": "error"},
    {"testID": 3, "result": "failure", "hidden": False, "type": "testDone"},
)
CHECKSTYLE = (
    '<?xml version="1.0"?><checkstyle version="8"><file name="src/A.java">'
    '<error line="3" column="2" severity="error" message="m" '
    'source="com.puppycrawl.tools.checkstyle.checks.imports.AvoidStarImportCheck"/></file></checkstyle>'
)
CTEST = (
    '<?xml version="1.0"?><Site BuildName="x"><Testing><TestList><Test>./a</Test></TestList>'
    '<Test Status="failed"><Name>a</Name><Results><Measurement><Value>said</Value></Measurement></Results></Test>'
    '<Test Status="passed"><Name>b</Name></Test></Testing></Site>'
)
NUNIT = (
    '<?xml version="1.0"?><test-suite type="Assembly" result="Failed"><test-case fullname="N.T.M" result="Failed">'
    "<failure><message>bad</message></failure></test-case></test-suite>"
)

REPORTS = {
    "jest": (jest(invocations=1), "jest test src/a.test.js › Auth › login › rejects src/a.test.js:7"),  # noqa: RUF001
    "vitest": (jest(), "vitest test src/a.test.js > Auth > login > rejects src/a.test.js:7"),
    "mocha": (MOCHA, "mocha test A b src/a.test.js:7"),
    "playwright": (
        playwright("unexpected"),
        "playwright test [chromium] › a.spec.ts:8:7 › Auth › rejects tests/a.spec.ts:9",  # noqa: RUF001
    ),
    "cucumber": (CUCUMBER, "cucumber test features/a.feature:3 Adding features/a.feature:3"),
    "rspec": (RSPEC, "rspec test ./spec/a_spec.rb:2 spec/a_spec.rb:2"),
    "pytest-reportlog": (
        lines(
            {"pytest_version": "8.4", "$report_type": "SessionStart"},
            {
                "nodeid": "tests/test_a.py::test_x",
                "outcome": "failed",
                "when": "call",
                "longrepr": {"reprcrash": CRASH},
                "$report_type": "TestReport",
            },
        ),
        "pytest test tests/test_a.py::test_x tests/test_a.py:3",
    ),
    "pytest-json-report": (
        {
            "created": 1.5,
            "exitcode": 1,
            "tests": [{"nodeid": "tests/test_a.py::test_x", "outcome": "failed", "call": {"crash": CRASH}}],
        },
        "pytest test tests/test_a.py::test_x tests/test_a.py:3",
    ),
    "dart": (DART, "dart test test/a_test.dart: adds test/a_test.dart:5"),
    "sarif": (SARIF, "semgrep lint r1 src/a.py:3:2 src/a.py:3"),
    "code climate": (
        [
            {
                "description": "bad",
                "check_name": "r/x",
                "fingerprint": "1",
                "location": {"path": "a.rb", "lines": {"begin": 4}},
            }
        ],
        "codeclimate lint r/x a.rb:4 a.rb:4",
    ),
    "eslint": (
        [
            {
                "filePath": f"{HOME}a.js",
                "messages": [
                    {"ruleId": "semi", "severity": 2, "message": "m", "line": 1, "column": 2},
                    {"ruleId": "x", "severity": 1, "message": "m", "line": 1, "column": 2},
                ],
            }
        ],
        "eslint lint semi a.js:1:2 a.js:1",
    ),
    "checkstyle": (CHECKSTYLE, "checkstyle lint AvoidStarImport src/A.java:3:2 src/A.java:3"),
    "ctest": (CTEST, "ctest test a :None"),
    "nunit": (NUNIT, "dotnet test N.T.M :None"),
    "teamcity": (
        (
            "##teamcity[testSuiteStarted name='suite']\n"
            "##teamcity[testFailed name='adds' message='assert |'1|' == 2' details='a|nb']\n"
            "##teamcity[testSuiteFinished name='suite']\n"
        ),
        "teamcity test suite > adds :None",
    ),
}


def parse(content):
    text = content if isinstance(content, str) else json.dumps(content)
    return ci_failures.parse(text.encode())


@pytest.mark.parametrize(("content", "expected"), REPORTS.values(), ids=REPORTS)
def test_a_report_tells_what_failed(content, expected):
    (one,) = parse(content).failures
    assert f"{one.tool} {one.kind} {one.name} {one.file}:{one.line}" == expected
    assert one.message


@pytest.mark.parametrize(("content", "expected"), REPORTS.values(), ids=REPORTS)
def test_a_report_that_is_cut_off_raises_or_is_no_pass(content, expected):
    text = content if isinstance(content, str) else json.dumps(content)
    try:
        report = ci_failures.parse(text.encode()[: len(text) // 2])
    except ci_failures.UnreadableFile:
        return
    assert report.status != "passed", expected


def test_a_test_of_playwright_that_passed_at_last_is_flaky():
    report = parse(playwright("flaky"))
    assert [(one.attempts, one.flaky) for one in report.flaky] == [(2, True)]
    assert report.status == "passed"


def test_messages_of_teamcity_add_nothing_to_what_a_tool_tells():
    log = "FAILED tests/test_a.py::test_b - assert 1 == 2\n==== 1 failed in 0.1s ====\n" + REPORTS["teamcity"][0]
    assert [one.tool for one in ci_failures.parse(log.encode()).failures] == ["pytest"]


LOG = b"FAILED tests/test_a.py::test_b - assert 1 == 2\n==== 1 failed in 0.1s ====\n"


def tar(mode="w"):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode=mode) as archive:
        for name, content in (("job/build.log", LOG), ("rspec.json", json.dumps(RSPEC).encode()), ("notes.txt", b"x")):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return raw.getvalue()


PACKERS = {"xz": lzma.compress, "bz2": bz2.compress, "gz": gzip.compress, "zst": zstd.compress}


@pytest.mark.parametrize(
    ("content", "count"),
    [*((pack(LOG), 1) for pack in PACKERS.values()), (tar(), 2), (tar("w:gz"), 2), (zstd.compress(tar()), 2)],
    ids=[*PACKERS, "tar", "tgz", "tar.zst"],
)
def test_packed_files_are_read(content, count):
    assert len(ci_failures.parse(content).failures) == count
    assert len(ci_failures.parse(io.BytesIO(content)).failures) == count


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_a_packed_file_that_is_damaged_is_unreadable(pack, tmp_path):
    content = pack(LOG * 100)
    file = tmp_path / "build.log"
    file.write_bytes(content[: len(content) // 2])
    assert ci_failures.parse_files([file]).unreadable


def test_frames_that_were_joined_are_read_to_the_end():
    content = zstd.compress(b"first\n") + zstd.compress(LOG)
    assert len(ci_failures.parse(content).failures) == 1


def test_a_window_of_a_gigabyte_is_refused():
    """A file of some bytes could otherwise ask for that much memory."""
    content = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 30})
    with pytest.raises(ci_failures.UnreadableFile):
        ci_failures.parse(content.compress(LOG) + content.flush())


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_a_packed_bomb_is_refused(pack, monkeypatch):
    monkeypatch.setattr("ci_failures.packed_files.MOST_BYTES", 1 << 20)
    with pytest.raises(ci_failures.UnreadableFile, match="it unpacks to more than"):
        ci_failures.parse(pack(b"nothing happened\n" * (1 << 18)))


def test_a_folder_is_read_as_an_archive(tmp_path):
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "build.log").write_bytes(LOG)
    (tmp_path / "rspec.json").write_text(json.dumps(RSPEC))
    (tmp_path / "notes.txt").write_text("nothing of interest")
    report = ci_failures.parse_files([tmp_path])
    assert {one.tool for one in report.failures} == {"pytest", "rspec"}
    assert not report.gaps


def test_each_known_format_has_a_reader():
    assert all(callable(format_reader(form)) for form in READERS)


STREAMS = Path(__file__).parent / "results" / "stestr"


def test_output_behind_packets_of_subunit_is_skipped():
    packets = (STREAMS / "2.subunit").read_bytes()
    assert len(ci_failures.parse(packets + b"printed by a test\n").failures) == 3


def test_a_damaged_packet_of_subunit_is_a_gap():
    packets = bytearray((STREAMS / "2.subunit").read_bytes())
    packets[-1] ^= 1
    assert "only its beginning was read: the check sum" in ci_failures.parse(bytes(packets)).gaps[0]


def test_a_stream_of_subunit_that_was_cut_off_is_never_passed():
    report = ci_failures.parse(b"test: a.b.C.test_d\nsuccess: a.b.C.test_d\ntest: a.b.C.test_e\n")
    assert report.status == "unknown"
    assert "a.b.C.test_e began and did not end" in report.gaps[0]


@pytest.mark.parametrize("details", ["[\nboom\n]", "[ multipart\nContent-Type: text/plain\nwhy\n4\r\nboom0\r\n]"])
def test_the_details_of_subunit_are_the_message(details):
    ((message, name),) = [
        (one.message, one.name) for one in ci_failures.parse(f"test: t\nerror: t {details}\n".encode()).failures
    ]
    assert (message, name) == ("boom", "t")


def test_a_text_that_begins_like_subunit_is_a_log():
    report = ci_failures.parse(b"test: everything\n" + LOG)
    assert [one.tool for one in report.failures] == ["pytest"]


def swift(*, ends=True, **issue):
    """Return a stream by its published description; no log or file of the tool itself was available."""
    test = "CartTests.Cart/adds()/CartTests.swift:4:6"
    place = {"fileID": "CartTests/CartTests.swift", "filePath": f"{HOME}Tests/CartTests/CartTests.swift", "line": 7}
    texts = [{"symbol": "fail", "text": "Expectation failed: 1 == 2"}, {"symbol": "default", "text": "no"}]
    suite = {"kind": "suite", "name": "Cart", "id": "CartTests.Cart"}
    function = {"kind": "function", "name": "adds()", "displayName": "Adds up", "id": test, "isParameterized": False}
    events = [
        {"kind": "runStarted", "messages": []},
        {"kind": "issueRecorded", "testID": test, "issue": {"isKnown": False, "sourceLocation": place} | issue},
        {"kind": "testEnded", "testID": test, "messages": texts},
        *([{"kind": "runEnded", "messages": []}] if ends else []),
    ]
    events[1]["messages"] = texts
    tests = [{"version": 0, "kind": "test", "payload": one} for one in (suite, function)]
    return lines(*tests, *({"version": 0, "kind": "event", "payload": one} for one in events)).encode()


def test_the_event_stream_of_swift_is_read():
    (one,) = ci_failures.parse(swift()).failures
    assert (one.tool, one.name, one.title) == ("swift", "CartTests.Cart/adds()", "Adds up")
    assert (one.file, one.line, one.message) == ("Tests/CartTests/CartTests.swift", 7, "Expectation failed: 1 == 2")


@pytest.mark.parametrize("issue", [{"isKnown": True}, {"isFailure": False, "severity": "warning"}])
def test_a_known_issue_of_swift_and_a_warning_are_no_failures(issue):
    assert ci_failures.parse(swift(**issue)).status == "passed"


def test_an_event_stream_without_its_end_is_never_passed():
    assert ci_failures.parse(swift(ends=False, isKnown=True)).status == "unknown"


SILENT = {
    "jest": {"numFailedTests": 0, "success": False, "testResults": []},
    "pytest-reportlog": lines({"$report_type": "SessionStart"}, {"$report_type": "SessionFinish", "exitstatus": 2}),
    "dart": lines({"protocolVersion": "0.1.1", "type": "start"}, {"type": "done", "success": False}),
}


@pytest.mark.parametrize("content", SILENT.values(), ids=SILENT)
def test_a_report_that_says_that_the_run_failed_is_never_passed(content):
    report = parse(content)
    assert report.status == "unknown"
    assert "it says that the run failed" in report.gaps[0]
