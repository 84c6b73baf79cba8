# ruff: noqa: RUF001 -- people write these apostrophes and dashes
"""Map the words of a status to a state."""

import re

from attrs import frozen

from stithy_archdocs.document_models import DecisionState

_STATES = {
    DecisionState.PROPOSED: (
        "proposed proposal propose provisional tbd todo incomplete pending review reviewed reviewing reviewable"
        " discussion discussing open new rfc consultation candidate trial experimental experiment in-review"
        " in-discussion in-progress ongoing needs-revision needs-review under-review under-discussion"
        " under-consideration inprogress proposé proposée vorgeschlagen propuesto propuesta proposto not-yet wanted"
        " requested suggested submitted undecided unresolved tentative in-process to-be"
    ),
    DecisionState.ACCEPTED: (
        "accepted accept acepted approved approve decided final finalised finalized implementable agreed agree"
        " adopted adopt ratified active current valid effective confirmed decision-made in-force in-effect"
        " partially-accepted partly-accepted conditionally stable standard amended augmented extended clarified"
        " refined updated revised signed-off accepté acceptée validé validée angenommen akzeptiert aceptado"
        " aceptada aceito aceita accettato godkjent"
    ),
    DecisionState.IMPLEMENTED: (
        "implemented implement implementing partially-implemented partly-implemented completed complete done"
        " released shipped deployed live delivered in-use in-production"
    ),
    DecisionState.REJECTED: (
        "rejected reject declined withdrawn withdraw abandoned cancelled canceled refused dismissed dropped"
        " not-accepted not-approved not-adopted not-implemented discarded wontfix won't-do denied invalid"
        " invalidated rejeté rejetée refusé abgelehnt verworfen rechazado rechazada rejeitado rejeitada rifiutato"
    ),
    DecisionState.DEPRECATED: (
        "deprecated depreciated deprecate obsolete obsoleted reverted retired outdated archived legacy historical"
        " no-longer expired removed deleted defunct discontinued void rescinded déprécié dépréciée obsolète"
        " veraltet obsoleto obsoleta depreciado"
    ),
    DecisionState.SUPERSEDED: (
        "superseded superceded supersede supercede supersedeed supersceded superseeded replaced overridden"
        " overruled moved merged exceeded remplacé remplacée ersetzt reemplazado reemplazada substituído"
        " substituída sostituito"
    ),
    DecisionState.DRAFT: (
        "draft drafted drafting wip work-in-progress idea placeholder outline stub early-draft initial-draft"
    ),
    DecisionState.ON_HOLD: (
        "on-hold deferred defer postponed paused parked hold blocked suspended shelved delayed stalled"
    ),
}
_KNOWN = {word: state for state, words in _STATES.items() for word in words.split()}
_PAIRS = {word for word in _KNOWN if "-" in word}
_FILLERS = frozenset(
    [
        "this",
        "adr",
        "decision",
        "record",
        "rfc",
        "proposal",
        "document",
        "the",
        "a",
        "an",
        "is",
        "was",
        "were",
        "has",
        "have",
        "had",
        "been",
        "be",
        "being",
        "are",
        "we",
        "it",
        "our",
        "currently",
        "current",
        "now",
        "as",
        "of",
        "fully",
        "formally",
        "officially",
        "still",
        "status",
        "state",
        "in",
        "since",
        "to",
        "mostly",
        "largely",
        "already",
        "unanimously",
        "tentatively",
        "provisionally",
        "initially",
        "team",
        "by",
    ]
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
STATUS_TITLE = re.compile(
    r"^[\W\d_]*(?:adr |current |decision |proposal )?(?:status|state|statut|estado|stato)\s*(?:of (?:this|the) \w+)?"
    r"(?:\s*[:–—-]\s*(?P<after>.+)|\s*\((?P<inside>[^)]+)\)|[\W_]*)$",
    re.IGNORECASE,
)
"""Matches a heading under which, or in which, a record states its status; "Status grammar" does not match."""
_PLACEHOLDER = re.compile(r"^\s*(?:\{(?!%)|\[(?![^\]]{0,300}\](?:\(|\[|:)|[ xX]\]|[\w -]+[\],])|<(?!https?:|!--))")
_BLANK = re.compile(r"^[\W_]*(?:yyyy|xxxx|status|n/?a|none|-+)?[\W_]*$", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\s*(?:\||/|,|;|\bor\b)\s*")
_PARTIAL = re.compile(r"\bpart(?:ly|ial(?:ly)?)\b|\bin part\b", re.IGNORECASE)
_STRUCK = re.compile(r"~~.*?~~|<(?:s|del|strike)>.*?</(?:s|del|strike)>", re.DOTALL)
_TAGS = re.compile(r"<[^>]{0,200}>")
_MARKERS = re.compile(r"^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+(?=\D))")
_LINK = re.compile(r"!\[[^\]]{0,300}\]\([^)]{0,500}\)|\[([^\]]{0,300})\](?:\([^)]{0,500}\)|\[[^\]]{0,300}\])")
_BADGE = re.compile(r"!\[(?:status[\s:_-]*)?([^\]]{1,300})\]\([^)]{0,500}\)", re.IGNORECASE)


@frozen
class StatusMeaning:
    """What the words of a status mean.

    Args:
        state: The state.
        confidence: From 0 to 1; 1 if the first meaningful word names the state.
    """

    state: DecisionState
    confidence: float


UNREADABLE = StatusMeaning(DecisionState.UNKNOWN, 0.0)


def strip_markup(text: str) -> str:
    """Remove list marks, tags, struck words and emphasis from a status."""
    text = _BADGE.sub(r"\1", _STRUCK.sub("", text))
    text = _TAGS.sub("", _MARKERS.sub("", text))
    return text.replace("**", "").replace("__", "").replace("`", "").replace("\\", "").strip(" \t*_|")


def is_placeholder(text: str) -> bool:
    """Return whether a template was left unchanged: braces, or three states to choose from."""
    if _PLACEHOLDER.match(text) or _BLANK.match(text):
        return True
    parts = [part for part in _ALTERNATIVES.split(strip_markup(text).strip(" .?!…()[]{}")) if part.strip(" …")]
    if len(parts) < 2:  # noqa: PLR2004 -- a choice has at least two parts
        return False
    bare = [part for part in parts if len(_WORD.findall(part)) <= 2 or "supersed" in part.lower()]  # noqa: PLR2004 -- "on hold"
    states = {state for part in bare if (state := _find_first_state(_WORD.findall(part.lower()))) is not None}
    return len(bare) == len(parts) and (len(states) > 2 or ("|" in text and len(states) > 1))  # noqa: PLR2004 -- three to choose from


def interpret_status(text: str) -> StatusMeaning:
    """Return the meaning of a status: of its first meaningful word, else of the only state near its beginning."""
    if is_placeholder(text):
        return UNREADABLE
    words = _split_words(text)
    state = _find_first_state(words)
    if state is not None:
        if state is DecisionState.SUPERSEDED and _PARTIAL.search(text.split("upers", 1)[0].split("upe", 1)[0]):
            return StatusMeaning(DecisionState.ACCEPTED, 0.9)
        return StatusMeaning(state, 1.0)
    later = {found for start in range(min(len(words), 24)) if (found := _match_state_at(words, start)) is not None}
    return StatusMeaning(later.pop(), 0.5) if len(later) == 1 else UNREADABLE


def _split_words(text: str) -> list[str]:
    shown = _LINK.sub(r" \1 ", strip_markup(text))
    return [word.lower().replace("’", "'") for word in _WORD.findall(shown)]


def _find_first_state(words: list[str]) -> DecisionState | None:
    """Return the state of the first word that is not a filler."""
    for start in range(len(words)):
        found = _match_state_at(words, start)
        if found is not None:
            return found
        if words[start] not in _FILLERS and words[start] not in ("partially", "partly", "partial", "not"):
            return None
    return None


def _match_state_at(words: list[str], start: int) -> DecisionState | None:
    """Return the state that begins at a word and is three, two or one words long."""
    for many in (3, 2):
        pair = "-".join(words[start : start + many])
        if pair in _PAIRS:
            return _KNOWN[pair]
    if start and words[start - 1] == "not" and words[start] in _KNOWN:
        return DecisionState.REJECTED if _KNOWN[words[start]].is_live else None
    return _KNOWN.get(words[start])
