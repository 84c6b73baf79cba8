# ruff: noqa: RUF001 -- people write these dashes and quotes
"""What a line of a list says of an option: its name, its number or letter, its mark."""

import re

from stithy_archdocs.records import Outcome

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
_LINK = re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?")
_LONGEST = 160


def mark_of(text: str) -> Outcome:
    """Tell what a mark in a line says: a symbol, or a word in parentheses or behind a dash."""
    if _MARKED_REJECTED.search(text):
        return Outcome.REJECTED
    return Outcome.CHOSEN if _MARKED_CHOSEN.search(text) else Outcome.UNSTATED


def label_of(text: str) -> str:
    """Give the number or letter of an option, in lower case; nothing where it has none."""
    found = _LABEL.match(text)
    return (found["called"] or found["placed"]).lower() if found else ""


def gloss_of(text: str) -> str:
    """Give what stands in parentheses behind a name, on its own line."""
    return " ".join(re.findall(r"\(([^()]*)\)", MARKS.sub("", text[:_LONGEST])))


def name_of(text: str) -> str:
    """Give an option's name: without marks and number, and without the sentence that follows it."""
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
