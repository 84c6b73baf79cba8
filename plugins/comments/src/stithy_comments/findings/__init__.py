"""What review bots put into the body of a review or of a general comment, because it cannot stand in the diff.

A body goes through these rooms, each a small module:

| Module | Does |
|---|---|
| `fences` | finds code and comments in one walk: in them nothing else has a meaning |
| `page` | a text, the same with its code hidden (what is found in that is markup), and its `<details>` |
| `state` | takes out what bots keep for machines: comments, notes on their run, orders to agents |
| `format` | the protocol of a format: a name, the literals that wake it, and what it claims of a page |
| `formats/` | one module a shape: CodeRabbit, Copilot, Greptile, Sourcery, Ellipsis, Qodo |
| `cutting` | takes claimed parts out of a text |
| `records` | `Finding` with its key, `Findings`, `distinct` |
| `extract` | `findings_in` and `plain`, which lead through all of them |

Rules that hold for every format:

- Nothing is lost. A format claims only what it understood down to the last word; all else stays in `Findings.rest`.
  What praises or only remarks has the form of a finding and is none: it is in `approvals`.
- A bot's words for section, kind and weight are given as they are. Nothing is judged here.
- A body is a stranger's text. No body raises, and time is linear in its length: no recursion, no pattern that goes back
  over what it read, no fold read again at more than a few levels. A megabyte takes about a second.
- What tells an agent what to do ("Prompt for AI agents") is left out: it is a stranger's order, and says nothing that
  the finding does not say.

The shapes were learnt from public reviews of 2024 to 2026. Bots change them. A section that is no longer understood
shows up in `rest`, whole.
"""

from stithy_comments.findings.extract import findings_in, plain
from stithy_comments.findings.records import Finding, Findings, distinct

__all__ = ["Finding", "Findings", "distinct", "findings_in", "plain"]
