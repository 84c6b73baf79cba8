"""Findings that review bots write into the body of a review or a general comment, since they have no place in the diff.

A body passes these modules:

| Module | Does |
|---|---|
| `fences` | finds code and HTML comments in one pass; markup inside them has no meaning |
| `page` | the text, its mask (the text with code hidden, so that matches in it are markup), and its `<details>` |
| `state` | removes what bots write for machines: comments, notes on their run, prompts for agents |
| `format` | the interface of a format: a name, literals that must be present, and the parts of a page that it claims |
| `formats/` | one module per format: CodeRabbit, Copilot, Greptile, Sourcery, Ellipsis, Qodo |
| `cutting` | removes claimed parts from a text |
| `records` | `Finding` with its key, `Findings`, `drop_repeats` |
| `extract` | `extract_findings` and `strip_machine_text`, which run all of these |

Rules for every format:

- No text is lost. A format claims only what it parsed completely; everything else stays in `Findings.rest`. Praise and
  remarks in the form of a finding are in `approvals`.
- The bot's words for section, kind and severity are returned unchanged.
- A body is untrusted input. No body raises an error, and time is linear in its length: no recursion, no backtracking
  pattern, and no fold read at more than a few levels. A megabyte takes about a second.
- Instructions to agents ("Prompt for AI agents") are removed: they are untrusted and only repeat the finding.

The formats were derived from public reviews of 2024 to 2026. Bots change them. A section that is no longer recognized
appears in `rest` in full.
"""

from stithy_comments.findings.extract import extract_findings, strip_machine_text
from stithy_comments.findings.records import Finding, Findings, drop_repeats

__all__ = ["Finding", "Findings", "drop_repeats", "extract_findings", "strip_machine_text"]
