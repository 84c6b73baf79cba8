"""The JSON of RSpec, pytest's plugins report-log and json-report, and Dart's tests."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ci_failures.model import Failure, Kind
from ci_failures.parsers.text_helpers import relative
from ci_failures.results.json_document import (
    as_mapping,
    as_number,
    as_text,
    check_verdict,
    iterate_lines,
    list_mappings,
    load_document,
)
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text, strip_colours

MOST_TESTS = 200_000
AVOCADO_FAILED = frozenset({"FAIL", "ERROR", "INTERRUPTED"})
ENDLESS = "its end is missing: the run was aborted, or the file was cut off"


def read_rspec(text: Text, tally: Tally) -> None:
    """Read the report of RSpec's formatter `json`.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = as_mapping(load_document(text))
    failed = as_mapping(document.get("summary")).get("failure_count")
    if isinstance(failed, int):
        tally.add_count(failed)
    examples = list_mappings(document.get("examples"))
    shared = Counter((as_text(one.get("file_path")), as_number(one.get("line_number"))) for one in examples)
    for example in examples:
        if example.get("status") != "failed":
            tally.ran += 1
            continue
        file = as_text(example.get("file_path"))
        line = as_number(example.get("line_number"))
        error = as_mapping(example.get("exception"))
        place = f"{file}:{line}"
        selector = as_text(example.get("id")) or place
        spec = selector.partition("[")[0]  # that of a shared example includes it
        is_own = shared[file, line] == 1 and spec in {file, place}
        tally.record_failed(
            Failure(
                tool="rspec",
                name=place if is_own else selector,
                message=strip_colours(as_text(error.get("message"))).strip(),
                file=file.removeprefix("./"),
                line=line,
                selector=selector,
                title=f"{(file if is_own else spec).removeprefix('./')} {as_text(example.get('full_description'))}",
            )
        )


def read_report_log(text: Text, tally: Tally) -> None:
    """Read the events of pytest-reportlog: a test has one for its set-up, its call and its end."""
    ended = False
    for event in iterate_lines(text):
        kind = event.get("$report_type")
        if kind == "SessionFinish":
            ended = True
            check_verdict(tally, event.get("exitstatus") in {0, 5})
        if kind not in {"TestReport", "CollectReport"}:
            continue
        if event.get("outcome") != "failed":
            tally.ran += event.get("when") == "call"
        else:
            crash = as_mapping(as_mapping(event.get("longrepr")).get("reprcrash"))
            _record_pytest(tally, as_text(event.get("nodeid")), crash, event.get("longrepr"), collects=kind[0] == "C")
    if not ended:
        tally.add_gap(ENDLESS)


def _record_pytest(
    tally: Tally, name: str, crash: Mapping[str, Any], said: object, *, collects: bool, file: str = ""
) -> None:
    place = relative(as_text(crash.get("path"))) or file
    inner = not place.startswith("/") and "site-packages/" not in place
    kind: Kind = "compile" if collects else "test"
    tally.record_failed(
        Failure(
            tool="pytest",
            kind=kind,
            name=name,
            message=strip_colours(as_text(crash.get("message")) or as_text(said)).strip(),
            file=place if inner and place else name.partition("::")[0],
            line=(as_number(crash.get("lineno")) or as_number(crash.get("line"))) if inner else None,
            selector=name,
        )
    )


def read_json_report(text: Text, tally: Tally) -> None:
    """Read the report of pytest-json-report.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = as_mapping(load_document(text))
    for one in list_mappings(document.get("collectors")):
        if one.get("outcome") == "failed":
            _record_pytest(tally, as_text(one.get("nodeid")), {}, one.get("longrepr"), collects=True)
    check_verdict(tally, document.get("exitcode") in {0, 1, 5})
    for test in list_mappings(document.get("tests")):
        if test.get("outcome") not in {"failed", "error"}:
            tally.ran += 1
            continue
        stage = next(
            (part for key in ("setup", "call", "teardown") if (part := as_mapping(test.get(key))).get("crash")), {}
        )
        crash = as_mapping(stage.get("crash"))
        _record_pytest(tally, as_text(test.get("nodeid")), crash, stage.get("longrepr"), collects=False)


def read_avocado(text: Text, tally: Tally) -> None:
    """Read the results of `avocado run --json`.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = as_mapping(load_document(text))
    for test in list_mappings(document.get("tests")):
        name = as_text(test.get("name"))
        if as_text(test.get("status")) in AVOCADO_FAILED:
            said, file = as_text(test.get("fail_reason")), relative(name.partition(":")[0])
            tally.record_failed(Failure(tool="avocado", name=name, message=said, file=file, selector=name))
        else:
            tally.ran += 1
    counts = (as_number(document.get(key)) or 0 for key in ("errors", "failures", "interrupt"))
    tally.add_count(sum(counts))


def read_dart(text: Text, tally: Tally) -> None:
    """Read the events of `dart test --reporter json` and `flutter test --machine`."""
    tests: dict[object, Mapping[str, Any]] = {}
    suites: dict[object, str] = {}
    errors: dict[object, str] = {}
    ended = False
    for event in iterate_lines(text):
        kind = event.get("type")
        if kind == "suite":
            suite = as_mapping(event.get("suite"))
            suites[suite.get("id")] = relative(as_text(suite.get("path")))
        elif kind == "testStart" and len(tests) < MOST_TESTS:
            test = as_mapping(event.get("test"))
            tests[test.get("id")] = test
        elif kind == "error":
            errors.setdefault(event.get("testID"), strip_colours(as_text(event.get("error"))).strip())
        elif kind == "testDone":
            _end_dart_test(event, tests.pop(event.get("testID"), {}), suites, errors, tally)
        elif kind == "done":
            ended = True
            check_verdict(tally, event.get("success"))
    if not ended:
        tally.add_gap(ENDLESS)


def _end_dart_test(
    event: Mapping[str, Any],
    test: Mapping[str, Any],
    suites: Mapping[object, str],
    errors: Mapping[object, str],
    tally: Tally,
) -> None:
    if event.get("result") == "success" or not test:
        tally.ran += not event.get("hidden")
        return
    file, title = suites.get(test.get("suiteID"), ""), as_text(test.get("name"))
    loads = title.startswith("loading ")
    tally.record_failed(
        Failure(
            tool="dart",
            kind="compile" if loads else "test",
            name=file if loads else f"{file}: {title}" if file else title,
            message=errors.get(event.get("testID"), "failed"),
            file=file,
            line=as_number(test.get("root_line")) or as_number(test.get("line")),
        )
    )
