"""What speaks for an alignment."""

from attrs import frozen

from stithy_archdocs.alignment.statements import Statement

SUPPORTS, CONFLICTS, RELATED = "supports", "conflicts", "related"


@frozen
class Signal:
    """One thing that speaks for an alignment.

    Args:
        alignment: supports, conflicts or related.
        relation: How the two stand to each other.
        rule: Which rule found it.
        confidence: From 0 to 1.
        reason: What was found, for a reader.
        evidence: The statement of the record that says so; None for what is known by words alone.
    """

    alignment: str
    relation: str
    rule: str
    confidence: float
    reason: str
    evidence: Statement | None = None
