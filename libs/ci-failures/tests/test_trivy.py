"""Trivy: tables and blocks in the forms that its own tests expect; it was run nowhere."""

import pytest

import ci_failures

TABLE = """
shop/package-lock.json (npm)
============================
Total: 3 (MEDIUM: 1, HIGH: 2)

┌───────────────┬────────────────┬──────────┬────────┬───────────────────┬───────────────┬─────────────────────────────┐
│    Library    │ Vulnerability  │ Severity │ Status │ Installed Version │ Fixed Version │            Title            │
├───────────────┼────────────────┼──────────┼────────┼───────────────────┼───────────────┼─────────────────────────────┤
│ node-fetch    │ CVE-2022-0235  │ HIGH     │ fixed  │ 1.7.3             │ 2.6.7, 3.1.1  │ exposure of headers         │
│               │                │          │        │                   │               │ https://example.org/cve-235 │
│               ├────────────────┤          │        │                   ├───────────────┼─────────────────────────────┤
│               │ CVE-2022-9999  │          │        │                   │               │ a title that is             │
│               │                │          │        │                   │               │ long                        │
├───────────────┤                ├──────────┤        ├───────────────────┤               │                             │
│ sanitize-html │                │ MEDIUM   │        │ 1.20.0            │               │                             │
└───────────────┴────────────────┴──────────┴────────┴───────────────────┴───────────────┴─────────────────────────────┘
"""
OLD = """
nginx:1 (debian 10.1)
=====================
Total: 2 (HIGH: 0, CRITICAL: 2)

+---------+------------------+----------+-------------------+---------------+----------------+
| LIBRARY | VULNERABILITY ID | SEVERITY | INSTALLED VERSION | FIXED VERSION |     TITLE      |
+---------+------------------+----------+-------------------+---------------+----------------+
| zlib1g  | CVE-2019-2201    | CRITICAL | 1:1.5.2-2         |               | zlib: overflow |
+         +------------------+          +                   +---------------+----------------+
|         | CVE-2020-13777   |          |                   | 3.6           | zlib: resume   |
+---------+------------------+----------+-------------------+---------------+----------------+
"""
BLOCKS = """
Dockerfile (dockerfile)
=======================
Tests: 27 (SUCCESSES: 25, FAILURES: 2)
Failures: 2 (UNKNOWN: 0, LOW: 1, MEDIUM: 0, HIGH: 1, CRITICAL: 0)

AVD-DS-0002 (HIGH): Specify at least 1 USER command in Dockerfile
════════════════════════════════════════
Running containers with 'root' user can lead to a container escape situation.

See https://avd.aquasec.com/misconfig/ds002
────────────────────────────────────────
 Dockerfile:3-4
────────────────────────────────────────
   3 ┌ USER root
   4 └ RUN make
────────────────────────────────────────


LOW: Add HEALTHCHECK instruction
════════════════════════════════════════
You should.
────────────────────────────────────────



app/.env (secrets)
==================
Total: 1 (MEDIUM: 0, HIGH: 1)

HIGH: AWS (aws-access-key-id)
════════════════════════════════════════
AWS Access Key ID
────────────────────────────────────────
 app/.env:7 (added by 'COPY . .')
────────────────────────────────────────
   7 [ KEY=***
────────────────────────────────────────
"""
CLEAN = "\nshop:1 (alpine 3.21.7)\n======================\nTotal: 0 (HIGH: 0, CRITICAL: 0)\n\n"
STEP = "##[group]Run trivy image shop:1\n##[endgroup]\n"
ERROR = "##[error]Process completed with exit code 1.\n"


@pytest.mark.parametrize(
    ("text", "found"),
    {
        "merged cells": (
            TABLE,
            [
                ("CVE-2022-0235 node-fetch (shop/package-lock.json)", "exposure of headers"),
                ("CVE-2022-9999 node-fetch (shop/package-lock.json)", "a title that is long"),
                ("CVE-2022-9999 sanitize-html (shop/package-lock.json)", "a title that is long"),
            ],
        ),
        "old tables": (
            OLD,
            [
                ("CVE-2019-2201 zlib1g (nginx:1)", "zlib: overflow"),
                ("CVE-2020-13777 zlib1g (nginx:1)", "zlib: resume"),
            ],
        ),
        "blocks": (
            BLOCKS,
            [
                ("AVD-DS-0002 Dockerfile:3", "Specify at least 1 USER command in Dockerfile"),
                ("Add HEALTHCHECK instruction Dockerfile", "Add HEALTHCHECK instruction"),
                ("aws-access-key-id app/.env:7", "AWS (aws-access-key-id)"),
            ],
        ),
    }.values(),
    ids=["merged cells", "old tables", "blocks"],
)
def test_findings_are_named_by_what_they_are_in(text, found):
    report = ci_failures.parse((CLEAN + text).encode())
    assert [(one.name, one.message) for one in report.failures] == found
    assert {(one.tool, one.kind, one.confidence) for one in report.failures} == {("trivy", "lint", "medium")}
    assert (report.status, report.gaps) == ("failed", ())


def test_places_of_blocks():
    failures = ci_failures.parse(BLOCKS.encode()).failures
    assert [(one.file, one.line) for one in failures] == [("Dockerfile", 3), ("Dockerfile", None), ("app/.env", 7)]


def test_a_total_of_none_has_passed():
    assert ci_failures.parse(CLEAN.encode()).status == "passed"


def test_the_total_tells_of_rows_that_are_missing():
    report = ci_failures.parse(TABLE.replace("Total: 3 (MEDIUM: 1", "Total: 9 (MEDIUM: 7").encode())
    assert "trivy itself counts 9 failures, and 3 were read" in report.gaps[0]


def test_findings_in_a_step_that_passed_failed_nothing():
    failed = ci_failures.parse((STEP + TABLE + STEP + OLD + ERROR).encode())
    assert [one.name[:4] for one in failed.failures] == ["CVE-"] * 2
    assert failed.gaps == ()
    again = ci_failures.parse((STEP + OLD + STEP + OLD + ERROR).encode())
    assert len(again.failures) == 2


def test_a_summary_and_what_was_suppressed_are_no_findings():
    summary = (
        "Report Summary\n\n┌────────┬──────┬─────────────────┐\n│ Target │ Type │ Vulnerabilities │\n"
        "├────────┼──────┼─────────────────┤\n│ shop:1 │ npm  │        0        │\n└────────┴──────┴─────────────────┘"
    )
    suppressed = OLD[OLD.index("+--") :].replace("CVE", "OLD")
    text = f"{summary}\n{OLD}\nSuppressed Vulnerabilities (Total: 1)\n======\n{suppressed}\nHIGH: pressure\nlow\n"
    assert len(ci_failures.parse(text.encode()).failures) == 2
