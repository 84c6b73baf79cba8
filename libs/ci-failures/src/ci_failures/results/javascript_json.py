"""The JSON reports of Jest, Vitest, Mocha, Playwright and Cucumber."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ci_failures.model import Failure
from ci_failures.parsers.javascript.patterns import escape_pattern
from ci_failures.parsers.javascript.stacks import frame, inside
from ci_failures.parsers.text_helpers import parse_number, relative
from ci_failures.results.json_document import (
    as_mapping,
    as_number,
    as_text,
    check_verdict,
    list_mappings,
    load_document,
)
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text, strip_colours

SIGN = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "
DEEPEST = 50
OF_JEST = ("invocations", "numPassingAsserts")
"""What Jest tells of each test, and Vitest does not."""


def _find_place(said: str) -> tuple[str, int | None]:
    found = next(filter(None, map(frame, said.splitlines())), None)
    return found or ("", None)


def read_jest(text: Text, tally: Tally) -> None:
    """Read the report of Jest's `--json`, or of Vitest's reporter `json`.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = as_mapping(load_document(text))
    files = list_mappings(document.get("testResults"))
    for file in files:
        tests = list_mappings(file.get("assertionResults"))
        jest = any(key in test for test in tests for key in OF_JEST) or "numRuntimeErrorTestSuites" in document
        path = relative(as_text(file.get("name")))
        for test in tests:
            _read_jest_test(test, path, tally, jest=jest)
        failed = any(test.get("status") == "failed" for test in tests)
        if file.get("status") == "failed" and not failed and not tests:
            message = strip_colours(as_text(file.get("message"))).strip()
            tool = "jest" if jest else "vitest"
            tally.record_failed(Failure(tool=tool, kind="compile", name=path, message=message, file=path))
    check_verdict(tally, document.get("success"))


def _read_jest_test(test: Mapping[str, Any], path: str, tally: Tally, *, jest: bool) -> None:
    if test.get("status") != "failed":
        tally.ran += 1
        return
    above = test.get("ancestorTitles")
    titles = [*map(as_text, above if isinstance(above, list) else ()), as_text(test.get("title"))]
    titles = [title for title in titles if title]
    messages = test.get("failureMessages")
    said = strip_colours("\n\n".join(map(as_text, messages if isinstance(messages, list) else ()))).strip()
    file, line = _find_place(said)
    tally.record_failed(
        Failure(
            tool="jest" if jest else "vitest",
            name=(SIGN if jest else " > ").join([path, *titles]),
            message=said,
            file=file or path,
            line=line,
            selector=path if jest else f"{escape_pattern(' > '.join(titles)).replace(' > ', ' (> )?')}$",
        )
    )


def read_mocha(text: Text, tally: Tally) -> None:
    """Read the report of Mocha's reporter `json`.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = as_mapping(load_document(text))
    failed = as_mapping(document.get("stats")).get("failures")
    if isinstance(failed, int):
        tally.add_count(failed)
    tally.ran += len(list_mappings(document.get("passes")))
    for test in list_mappings(document.get("failures")):
        error = as_mapping(test.get("err"))
        stack = strip_colours(as_text(error.get("stack")))
        file, line = _find_place(stack)
        tally.record_failed(
            Failure(
                tool="mocha",
                name=as_text(test.get("fullTitle")) or as_text(test.get("title")),
                message=strip_colours(as_text(error.get("message"))).strip() or stack.partition("\n")[0],
                file=file or relative(as_text(test.get("file"))),
                line=line,
            )
        )


def read_playwright(text: Text, tally: Tally) -> None:
    """Read the report of Playwright's reporter `json`.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = as_mapping(load_document(text))
    root = as_text(as_mapping(document.get("config")).get("rootDir"))
    for titles, spec in _iterate_specs(list_mappings(document.get("suites")), ()):
        for test in list_mappings(spec.get("tests")):
            _read_playwright_test(test, spec, titles, root, tally)
    for error in list_mappings(document.get("errors")):
        place = as_mapping(error.get("location"))
        message = strip_colours(as_text(error.get("message"))).strip()
        file = relative(as_text(place.get("file")))
        name = file or message.partition("\n")[0]
        tally.record_failed(
            Failure(
                tool="playwright",
                kind="compile",
                name=name,
                message=message,
                file=file,
                line=as_number(place.get("line")),
            )
        )


def _iterate_specs(
    suites: Sequence[Mapping[str, Any]], titles: Sequence[str]
) -> Iterator[tuple[Sequence[str], Mapping[str, Any]]]:
    """Iterate over the specs with the titles of the suites around them; the outermost suite is the file."""
    for suite in suites:
        inner = (*titles, as_text(suite.get("title")))
        if len(inner) > DEEPEST:
            return
        for spec in list_mappings(suite.get("specs")):
            yield inner, spec
        yield from _iterate_specs(list_mappings(suite.get("suites")), inner)


def _read_playwright_test(
    test: Mapping[str, Any], spec: Mapping[str, Any], titles: Sequence[str], root: str, tally: Tally
) -> None:
    status = test.get("status")
    if status not in {"unexpected", "flaky"}:
        tally.ran += 1
        return
    results = list_mappings(test.get("results"))
    wrong = [one for one in results if one.get("status") not in {"passed", "skipped"}]
    error = as_mapping(wrong[-1].get("error")) if wrong else {}
    project, file = as_text(test.get("projectName")), as_text(spec.get("file"))
    line, column = spec.get("line"), spec.get("column")
    place = f"{file}:{line}:{column}"
    names = [*([f"[{project}]"] if project else []), place, *titles[1:], as_text(spec.get("title"))]
    whole = relative(f"{root}/{file}") if root and not file.startswith("/") else relative(file)
    location = as_mapping(error.get("location"))
    raised = inside(as_text(location.get("file")), as_number(location.get("line")) or 0) if location else None
    tally.record_failed(
        Failure(
            tool="playwright",
            name=SIGN.join(name for name in names if name),
            message=strip_colours(as_text(error.get("message"))).strip(),
            file=raised[0] if raised else file if whole.startswith("/") else whole,
            line=raised[1] if raised and raised[1] else as_number(line),
            selector=f"{file}:{line}",
            attempts=max(1, len(results)),
            flaky=status == "flaky",
        )
    )


def read_cucumber(text: Text, tally: Tally) -> None:
    """Read the JSON report of any Cucumber, and of behave.

    Raises:
        UnreadableFile: It is not JSON.
    """
    for feature in list_mappings(load_document(text)):
        file = relative(as_text(feature.get("uri")) or as_text(feature.get("location")).rpartition(":")[0])
        for scenario in list_mappings(feature.get("elements")):
            if scenario.get("type") != "background":
                _read_scenario(scenario, as_text(feature.get("name")), file, tally)


def _read_scenario(scenario: Mapping[str, Any], feature: str, file: str, tally: Tally) -> None:
    steps = [step for key in ("before", "steps", "after") for step in list_mappings(scenario.get(key))]
    wrong = next((step for step in steps if _status(step) in {"failed", "undefined", "ambiguous", "error"}), None)
    if wrong is None:
        tally.ran += 1
        return
    result = as_mapping(wrong.get("result"))
    line = as_number(scenario.get("line"))
    if line is None:
        line = parse_number(as_text(scenario.get("location")).rpartition(":")[2])
    said = result.get("error_message")
    message = "\n".join(map(str, said)) if isinstance(said, list) else as_text(said)
    keyword = as_text(wrong.get("keyword")).strip()
    step = f"{keyword} {as_text(wrong.get('name'))}".strip()
    title = as_text(scenario.get("name"))
    tally.record_failed(
        Failure(
            tool="cucumber",
            name=f"{file}:{line} {title}" if file and line else f"{feature} > {title}",
            message=strip_colours(message).strip() or f"{step}: {_status(wrong)}",
            file=file,
            line=line,
            selector=f"{file}:{line}" if file and line else "",
        )
    )


def _status(step: Mapping[str, Any]) -> str:
    return as_text(as_mapping(step.get("result")).get("status")).lower()
