"""What review bots put into the body of a review or a general comment."""

from stithy_comments.findings.extract import findings_in, plain
from stithy_comments.findings.records import Finding, Findings, distinct

__all__ = ["Finding", "Findings", "distinct", "findings_in", "plain"]
