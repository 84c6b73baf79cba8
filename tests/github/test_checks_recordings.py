"""Real exchanges with api.github.com about checks: nothing raises, and each field of the model is the answer's."""

from datetime import datetime

from stithy_core.spi import Verdict
from stithy_github.checks_mapping import to_annotation, to_check_run, to_status

VERDICTS = {"success": Verdict.PASSED, "failure": Verdict.FAILED, "error": Verdict.FAILED, "pending": Verdict.PENDING}


def test_check_runs(rows):
    lists = rows(r"R/(commits/[0-9a-f]+|check-suites/\d+)/check-runs")
    for row in [row for found in lists for row in found["check_runs"]] + rows(r"R/check-runs(/\d+)?"):
        found, output = to_check_run(row), row["output"]
        assert (found.kind, found.id, found.name) == ("check_run", str(row["id"]), row["name"])
        assert (found.url, found.source) == (row["html_url"], row["app"].get("slug", ""))
        assert found.raw == (row["conclusion"] or row["status"])
        assert found.annotations == output["annotations_count"]
        assert found.summary == "\n".join(text for text in (output["title"], output["summary"]) if text)
        assert found.started_at == datetime.fromisoformat(row["started_at"])


def test_statuses(rows):
    combined = [row for found in rows(r"R/commits/[0-9a-f]+/status") for row in found["statuses"]]
    for row in combined + rows(r"R/(commits|statuses)/[0-9a-f]+(/statuses)?"):
        if "context" not in row:  # a commit has the same form of path
            continue
        found = to_status(row)
        assert (found.kind, found.id, found.name) == ("status", str(row["id"]), row["context"])
        assert (found.verdict, found.raw) == (VERDICTS[row["state"]], row["state"])
        assert (found.url, found.summary) == (row["target_url"] or "", row["description"] or "")
        when = found.started_at if row["state"] == "pending" else found.completed_at
        assert when == datetime.fromisoformat(row["created_at" if row["state"] == "pending" else "updated_at"])


def test_annotations(rows):
    for row in rows(r"R/check-runs/\d+/annotations"):
        found = to_annotation(row)
        assert (found.path, found.start_line, found.end_line) == (row["path"], row["start_line"], row["end_line"])
        assert (found.level, found.message) == (row["annotation_level"], row["message"])
        assert (found.title, found.details) == (row["title"] or "", row["raw_details"] or "")
