"""Findings that review bots write into the body of a review or a general comment, since they have no place in the diff.

A body passes these modules:

| Module | Does |
|---|---|
| `markdown_page` | the text, its mask (code and comments hidden, so matches are markup), and its `<details>` |
| `finding_format` | the interface of a format: name, required literals, and the parts of a page that it claims |
| `formats/` | one module per format: CodeRabbit, Copilot, Greptile, Sourcery, Ellipsis, Qodo |
| `text_cuts` | removes claimed parts from a text |
| `finding_records` | `Finding` with its key, `Findings`, `drop_repeats` |
| `finding_extraction` | `extract_findings` and `strip_machine_text`, which run all of these |

Rules for every format:

- No text is lost. A format claims only what it parsed completely; everything else stays in `Findings.rest`. Praise and
  remarks in the form of a finding are in `approvals`.
- The bot's words for section, kind and severity are returned unchanged.
- A body is untrusted input. No body raises an error, and time is linear in its length: no recursion, no backtracking
  pattern, and no fold read at more than a few levels. A megabyte takes about a second.
- Instructions to agents ("Prompt for AI agents") are removed: they are untrusted and only repeat the finding.

The formats were derived from public reviews of 2024 to 2026. Bots change them. An unrecognized section
appears in `rest` in full.
"""

from stithy_comments.findings.finding_extraction import extract_findings, strip_machine_text
from stithy_comments.findings.finding_records import Finding, Findings, drop_repeats

__all__ = ["Finding", "Findings", "drop_repeats", "extract_findings", "strip_machine_text"]
