# ruff: noqa: RUF001 -- people write these apostrophes and dashes
"""From the words of a status to a state."""

import re

from attrs import frozen

from stithy_archdocs.records import State

_STATES = {
    State.PROPOSED: "proposed proposal propose provisional tbd todo incomplete pending review reviewed reviewing"
    " reviewable discussion discussing open new rfc consultation candidate trial experimental experiment"
    " in-review in-discussion in-progress ongoing needs-revision needs-review under-review under-discussion"
    " under-consideration inprogress proposé proposée vorgeschlagen propuesto propuesta proposto not-yet wanted"
    " requested suggested submitted undecided unresolved tentative in-process to-be",
    State.ACCEPTED: "accepted accept acepted approved approve decided final finalised finalized implementable agreed"
    " agree adopted adopt ratified active current valid effective confirmed decision-made in-force in-effect"
    " partially-accepted partly-accepted conditionally stable standard amended augmented extended clarified"
    " refined updated revised signed-off"
    " accepté acceptée validé validée angenommen akzeptiert aceptado aceptada aceito aceita accettato godkjent",
    State.IMPLEMENTED: "implemented implement implementing partially-implemented partly-implemented completed complete"
    " done released shipped deployed live delivered in-use in-production",
    State.REJECTED: "rejected reject declined withdrawn withdraw abandoned cancelled canceled refused dismissed dropped"
    " not-accepted not-approved not-adopted not-implemented discarded wontfix won't-do denied invalid invalidated"
    " rejeté rejetée refusé abgelehnt verworfen rechazado rechazada rejeitado rejeitada rifiutato",
    State.DEPRECATED: "deprecated depreciated deprecate obsolete obsoleted reverted retired outdated archived legacy"
    " historical no-longer expired removed deleted defunct discontinued void rescinded"
    " déprécié dépréciée obsolète veraltet obsoleto obsoleta depreciado",
    State.SUPERSEDED: "superseded superceded supersede supercede supersedeed supersceded superseeded replaced"
    " overridden overruled moved merged exceeded"
    " remplacé remplacée ersetzt reemplazado reemplazada substituído substituída sostituito",
    State.DRAFT: "draft drafted drafting wip work-in-progress idea placeholder outline stub early-draft initial-draft",
    State.ON_HOLD: "on-hold deferred defer postponed paused parked hold blocked suspended shelved delayed stalled",
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
"""A heading under which, or in which, a record says how it stands; "Status grammar" is none."""
_PLACEHOLDER = re.compile(r"^\s*(?:\{(?!%)|\[(?![^\]]*\](?:\(|\[|:)|[ xX]\]|[\w -]+[\],])|<(?!https?:|!--))")
_BLANK = re.compile(r"^[\W_]*(?:yyyy|xxxx|status|n/?a|none|-+)?[\W_]*$", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\s*(?:\||/|,|;|\bor\b)\s*")
_PARTIAL = re.compile(r"\bpart(?:ly|ial(?:ly)?)\b|\bin part\b", re.IGNORECASE)
_STRUCK = re.compile(r"~~.*?~~|<(?:s|del|strike)>.*?</(?:s|del|strike)>", re.DOTALL)
_TAGS = re.compile(r"<[^>]{0,200}>")
_MARKERS = re.compile(r"^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+(?=\D))")
_LINK = re.compile(r"!\[[^\]]*\]\([^)]*\)|\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_BADGE = re.compile(r"!\[(?:status[\s:_-]*)?([^\]]+)\]\([^)]*\)", re.IGNORECASE)


@frozen
class Meaning:
    """What a status comes down to, and how sure that is, from 0 to 1."""

    state: State
    confidence: float


UNREADABLE = Meaning(State.UNKNOWN, 0.0)


def clean(text: str) -> str:
    """Take marks, comments, struck words and emphasis off a status."""
    text = _BADGE.sub(r"\1", _STRUCK.sub("", text))
    text = _TAGS.sub("", _MARKERS.sub("", text))
    return text.replace("**", "").replace("__", "").replace("`", "").replace("\\", "").strip(" \t*_|")


def is_placeholder(text: str) -> bool:
    """Tell whether a template was left as it was: braces, or three states to choose from."""
    if _PLACEHOLDER.match(text) or _BLANK.match(text):
        return True
    parts = [part for part in _ALTERNATIVES.split(clean(text).strip(" .?!…()[]{}")) if part.strip(" …")]
    if len(parts) < 2:  # noqa: PLR2004 -- a choice has two
        return False
    bare = [part for part in parts if len(_WORD.findall(part)) <= 2 or "supersed" in part.lower()]  # noqa: PLR2004 -- "on hold"
    states = {state for part in bare if (state := _first(_WORD.findall(part.lower()))) is not None}
    return len(bare) == len(parts) and (len(states) > 2 or ("|" in text and len(states) > 1))  # noqa: PLR2004 -- three to choose from


def meaning(text: str) -> Meaning:
    """Say what a status means: by its first word that means something, else by the one state in its beginning."""
    if is_placeholder(text):
        return UNREADABLE
    words = _words(text)
    state = _first(words)
    if state is not None:
        if state is State.SUPERSEDED and _PARTIAL.search(text.split("upers", 1)[0].split("upe", 1)[0]):
            return Meaning(State.ACCEPTED, 0.9)
        return Meaning(state, 1.0)
    later = {found for start in range(min(len(words), 24)) if (found := _at(words, start)) is not None}
    return Meaning(later.pop(), 0.5) if len(later) == 1 else UNREADABLE


def _words(text: str) -> list[str]:
    shown = _LINK.sub(r" \1 ", clean(text))
    return [word.lower().replace("’", "'") for word in _WORD.findall(shown)]


def _first(words: list[str]) -> State | None:
    """Give the state of the first word that is no filler."""
    for start in range(len(words)):
        found = _at(words, start)
        if found is not None:
            return found
        if words[start] not in _FILLERS and words[start] not in ("partially", "partly", "partial", "not"):
            return None
    return None


def _at(words: list[str], start: int) -> State | None:
    """Give the state that begins at a word: of three, two or one."""
    for many in (3, 2):
        pair = "-".join(words[start : start + many])
        if pair in _PAIRS:
            return _KNOWN[pair]
    if start and words[start - 1] == "not" and words[start] in _KNOWN:
        return State.REJECTED if _KNOWN[words[start]].live else None
    return _KNOWN.get(words[start])
