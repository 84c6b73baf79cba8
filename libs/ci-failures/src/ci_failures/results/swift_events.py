"""The event stream of Swift Testing, one record on each line, as `swift test --event-stream-output-path` writes it.

https://github.com/swiftlang/swift-testing/blob/main/Documentation/ABI/JSON.md describes it.
"""

import re
from collections.abc import Mapping
from typing import Any

from ci_failures.model import Failure
from ci_failures.parsers.text_helpers import relative
from ci_failures.results.json_document import as_mapping, as_number, as_text, iterate_lines, list_mappings
from ci_failures.results.runner_json import ENDLESS, MOST_TESTS
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text

PLACED = re.compile(r"/[^/]+\.swift:\d+:\d+$")
"""What the id of a test ends with: where it is defined."""
TOLD = frozenset({"fail", "difference", "details"})
"""The symbols of messages that say what went wrong."""


def read(text: Text, tally: Tally) -> None:
    """Read a stream: tests come before most events, and a test may have several issues."""
    titles: dict[str, str] = {}
    ended = False
    for record in iterate_lines(text):
        payload = as_mapping(record.get("payload"))
        kind = payload.get("kind")
        if record.get("kind") == "test" and kind == "function" and len(titles) < MOST_TESTS:
            titles[as_text(payload.get("id"))] = as_text(payload.get("displayName")) or as_text(payload.get("name"))
        elif kind == "issueRecorded":
            _record_issue(payload, titles, tally)
        elif kind == "testEnded" and as_text(payload.get("testID")) in titles:
            tally.ran += 1
        ended = ended or kind == "runEnded"
    if not ended:
        tally.add_gap(ENDLESS)


def _record_issue(event: Mapping[str, Any], titles: Mapping[str, str], tally: Tally) -> None:
    """Record the test of an issue, unless it is known or only a warning."""
    issue = as_mapping(event.get("issue"))
    if issue.get("isKnown") is True or issue.get("isFailure") is False:
        return
    texts = [as_text(one.get("text")) for one in list_mappings(event.get("messages")) if one.get("symbol") in TOLD]
    message = "\n".join(filter(None, texts))
    test = as_text(event.get("testID"))
    place = as_mapping(issue.get("sourceLocation") or event.get("sourceLocation"))
    path = as_text(place.get("filePath")) or as_text(place.get("_filePath"))
    name = PLACED.sub("", test)
    tally.record_failed(
        Failure(
            tool="swift",
            name=name or f"outside of tests: {message[:100]}",
            message=message,
            file=relative(path) or as_text(place.get("fileID")).rpartition("/")[2],
            line=as_number(place.get("line")),
            selector=name.partition("(")[0],
            title=titles.get(test, ""),
        )
    )
