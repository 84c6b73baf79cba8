# ruff: noqa: RUF001 -- people write these dashes and quotes
"""Parse a list line of an option: its name, its number or letter, its mark."""

import re

from stithy_archdocs.document_models import OptionOutcome

_PREFIX = re.compile(
    r"^(?:(?:option|alternative|solution|variant|approach)\s*(?:#?\w{1,3})?\s*[:.)–—-]+\s*"
    r"|\(?[A-Za-z0-9]{1,2}[.):]\s+|(?:[A-Z]?\d{1,2}|[A-Z])\s+[–—-]\s+|#\d+\s+)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^\W*(?:(?:option|alternative|solution|variant|approach)\s*#?(?P<called>[a-z]?\d{1,2}|[a-z])\b"
    r"|(?P<placed>[A-Z]?\d{1,2}|[a-zA-Z])(?:[.):]\s|\s+[–—-]\s))",
    re.IGNORECASE,
)
_MARKED_CHOSEN = re.compile(
    r"✅|✔|☑|🏆|⭐|\((?:chosen|selected|accepted|preferred|recommended|decided|our choice"
    r"|this (?:adr|decision|record|proposal|one|option))[^)]*\)"
    r"|[-–—:]\s*\**(?:chosen|selected|accepted)\b|(?-i:\b(?:SELECTED|CHOSEN)\b)",
    re.IGNORECASE,
)
_MARKED_REJECTED = re.compile(
    r"❌|✗|🚫|\((?:rejected|discarded|not chosen|declined|dismissed)[^)]*\)|[-–—:]\s*\**(?:rejected|discarded|not"
    r" chosen)\b|^\**rejected\**\s*:",
    re.IGNORECASE,
)
SYMBOLS = re.compile(r"✅|✔️?|☑️?|🏆|⭐|❌|✗|🚫")
MARKS = re.compile(
    SYMBOLS.pattern + r"|\((?:chosen|selected|accepted|preferred|recommended|rejected|discarded|not chosen"
    r"|decided|declined|dismissed|our choice|current|this (?:adr|decision|record|proposal|one|option))[^)]*\)",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\]]{0,300})\](?:\([^)]{0,500}\)|\[[^\]]{0,300}\])?")
_LONGEST = 160


def parse_mark(text: str) -> OptionOutcome:
    """Return the outcome that a mark states: a symbol, or a word in parentheses or behind a dash."""
    if _MARKED_REJECTED.search(text):
        return OptionOutcome.REJECTED
    return OptionOutcome.CHOSEN if _MARKED_CHOSEN.search(text) else OptionOutcome.UNSTATED


def parse_label(text: str) -> str:
    """Return the number or letter of an option in lower case; empty if it has none."""
    found = _LABEL.match(text)
    return (found["called"] or found["placed"]).lower() if found else ""


def parse_gloss(text: str) -> str:
    """Return the text in parentheses behind a name."""
    return " ".join(re.findall(r"\(([^()]*)\)", MARKS.sub("", text[:_LONGEST])))


def parse_option_name(text: str) -> str:
    """Return the name of an option, without marks, number and the sentence that follows."""
    text = MARKS.sub("", _LINK.sub(r"\1", text)).strip()
    bold = re.match(
        r"^\**(?:option|alternative|solution)?\s*\w{0,2}[:.)]?\s*\*\*(?P<name>[^*]+)\*\*", text, re.IGNORECASE
    )
    name = (
        bold["name"]
        if bold and _PREFIX.sub("", bold["name"].strip(" :.") + ": ").strip()
        else re.split(r":\s|\s[–—-]\s|\.\s|;\s", _PREFIX.sub("", text.replace("**", "")), maxsplit=1)[0]
    )
    name = _PREFIX.sub("", name.strip())
    name = re.sub(r"\s+", " ", name.replace("**", "").replace("`", "")).strip(" *_\"“”'.:,[]")
    return name[:_LONGEST].strip()
