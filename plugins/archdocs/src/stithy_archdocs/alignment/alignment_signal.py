"""Evidence for an alignment."""

from attrs import frozen

from stithy_archdocs.alignment.statements import Statement

SUPPORTS, CONFLICTS, RELATED = "supports", "conflicts", "related"


@frozen
class AlignmentSignal:
    """One piece of evidence for an alignment.

    Args:
        alignment: supports, conflicts or related.
        relation: More specific relation between proposal and record.
        rule: The rule that found it.
        confidence: From 0 to 1.
        reason: Explanation for a reader.
        evidence: The statement of the record; None if only shared words show it.
    """

    alignment: str
    relation: str
    rule: str
    confidence: float
    reason: str
    evidence: Statement | None = None
