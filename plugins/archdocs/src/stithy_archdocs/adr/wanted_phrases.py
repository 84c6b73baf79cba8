# ruff: noqa: RUF001 -- people write these dashes and quotes
"""Parse what a sentence says is wanted, apart from its reasons and what it denies."""

import re
from collections.abc import Iterator

from attrs import frozen

_DENIED = (
    r"not|n[’']t|never|no longer|without|against|avoid(?:ing)?|neither|nor|drop|remov\w+|remove|retire|stop|abandon"
    r"|replac\w+|deprecat\w+|reject\w*|discard\w*|disabl\w+"
    r"|(?:switch|migrat|mov|chang)(?:e|ed|ing)? (?:away )?from"
)
_WORK = (
    r"use|using|adopt|keep|build|create|write|implement|introduce|deploy|host|run|store|serve|switch|migrate|move"
    r"|split|merge|combine|standardi[sz]e|rely|start|begin|continue|support|add|make|extend|extract|generate|provide"
    r"|maintain|leverage|employ|integrate|configure|enforce|manage|include|allow|write|drop|remove|replace|disable"
    r"|publish|embed|wrap|define|treat|put|leave|have"
)
_CHOICE = (
    r"choos(?:e|ing)|chosen|chose|select(?:ed|ing)?|pick(?:ed|ing)?|prefer(?:red|ring|s)?|opt(?:ed|ing)? (?:for|to)"
    r"|go(?:ing|es)? (?:ahead )?(?:with|for)|went (?:ahead )?(?:with|for)"
    r"|deci(?:de|ded|sion)(?: as a \w+| together)? (?:on|for|to|that|in favou?r of)"
    r"|decision (?:is|was|has been)(?: made)?(?: to| for)?|agreed (?:on|to)|settled? (?:on|for)|adopt(?:ed|ing)?"
    r"|(?:proceed(?:ing)?|move(?:ing)? (?:forward|ahead)) with|stick(?:ing)? (?:with|to)|in favou?r of|favou?r(?:ed)?"
    r"|recommend(?:ed|ing)?|standardi[sz]ed? on"
)
_ACTIVE = re.compile(
    r"\b(?:we|team|it|i|project|application|app|service|system)(?:[’']ll| will| shall| should| are going to"
    r"| (?:propose|suggest|plan|intend)(?: to)?)(?: (?:therefore|thus|now|also|initially|instead|continue to|be))*\s"
    rf"|\bwe (?=(?:{_WORK})\b)"
    r"|\b(?:choice|winner|preference|(?:preferred|chosen|selected|best|recommended) \w+)\s*(?::|is|was|fell on)\s"
    r"|\b(?:will|shall) be (?:[^\s.;,]+ ){1,6}?(?:using|via|through)\s"
    r"|\b(?:switch|migrat|mov|chang)(?:e|ed|ing)? (?:away )?from (?:[^\s.;]+ ){1,6}?to\s"
    r"|\breplac(?:e|ed|ing) (?:[^\s.;]+ ){1,6}?(?:with|by)\s"
    rf"|\b(?:{_CHOICE})\s|\b(?:switch|migrat|mov)(?:e|ed|ing)? to\s",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|has been|have been|(?:will|shall|should|is to|are to) be|got)\s+"
    r"(?:\w+ly |therefore |thus |now |the |our |a |an ){0,4}"
    r"(?:chosen|selected|preferred|picked|adopted|favou?red|recommended|choice|winner|accepted|decided on|way to go"
    r"|(?:best|right|preferred|chosen|selected|recommended) (?:\w+ )?"
    r"(?:option|choice|fit|solution|approach|alternative))\b"
    r"|\b(?:will|shall|should|is to|are to) be"
    r" (?!replac|remov|deprecat|dropp|retir|disabl|consider|evaluat|review|need|requir|affect)"
    r"(?:\w+ed|built|kept|written|run)\b"
    r"|\b(?:wins|won)\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    rf"(?:(?:so|therefore|thus|decision|decided|outcome)\W+)?(?:{_WORK}|go with|choose|select)\b", re.IGNORECASE
)
_DENIES_BEFORE = re.compile(
    r"(?:\b(?:not|never|no longer|without|avoid|cannot|against|reject|rejected|if|could|might|would|have considered"
    r"|considered|considering|than|unlike|instead of|had|originally|previously|once|whether|options? (?:to|for))"
    r"|n[’']t)"
    r"\b[^.;,:]{0,40}$",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\s[–—-]\s|\b(?:because|since|as (?:it|this|that|they|we|the|there|our|a)\b|due to|given|so (?:that|we|as)|in"
    r" order|which|where|while|whereas|although|though|but|however|rather than|instead of|as opposed to|over|unlike"
    r"|than|compared|versus|vs|allowing|enabling|thanks|if|when|until|unless|except)\b(?!-)",
    re.IGNORECASE,
)
_NO = re.compile(rf"\b(?:{_DENIED})\b(?!-)", re.IGNORECASE)
_AIM = re.compile(r"\b(?:for|to|in|on|by|via|as|at|with|inside|within|from|during|alongside|behind)\b|,", re.IGNORECASE)
_WISH = re.compile(r"(?:\w+ ){0,3}(?:prefer|would|recommend|favou?r)", re.IGNORECASE)
_TAKEN_BACK = re.compile(r"\b(?:but|however|although|though|unfortunately)\b", re.IGNORECASE)
_WHEN = re.compile(r"(?:if|when|unless)\b", re.IGNORECASE)
_CONDITION = re.compile(r"[^,]*\s(?:if|unless)\b", re.IGNORECASE)
_HEAD = re.compile(r"(?:proposed|decision|decided|outcome|result|proposal|tl;?dr)\s*:\s*", re.IGNORECASE)
_PLACES = re.compile(r"#?\w{1,2}(?:\s*(?:&|and|,|\+)\s*\w{1,2}){0,9}\W*")
_NAMED = re.compile(r"[,:]|\s[–—-]\s")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|can|could|there|does|did)\b", re.IGNORECASE)
_PRAISE = re.compile(r"\b(?:most|best|simplest|easiest|fastest|cheapest|better|safest)\b", re.IGNORECASE)
_APART = re.compile(r"[;:]|\b(?:because|since|but|while|although|whereas|as)\b", re.IGNORECASE)
_ASIDE = re.compile(r"(?:of|after|given|based|for|in|due|from|considering|with|to|at|on)\b[^,]*,", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\"“*_`(\[])")
_LINK = re.compile(r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])?")
_BESIDES = re.compile(r"\(([^()]*)\)")
_OTHER_NAME = re.compile(r"\s*(?:\S+|(?:option|alternative|solution|approach) #?\w{1,2})\s*", re.IGNORECASE)
_MARKUP = re.compile(r"\*\*|__|`|(?<!\w)[_*](?=\w)|(?<=[\w.])[_*](?!\w)|[\"“”]")
_MARK = re.compile(r"^\s*(?:(?:[-*+•]|\d{1,2}[.)])\s+)?(?:\(#?\w{1,2}\)\s+)?")
_LONGEST = 1_000


@frozen
class WantedPhrase:
    """What a sentence wants, in four lengths.

    Args:
        full: Everything to the end of the sentence.
        whole: Everything up to the reasons, including what is denied.
        clear: Everything before a denial.
        aim: Of `clear`, everything before its purpose: "X" of "use X for Y".
        bare: Whether it is only a name, without a verb that wants it.
        alone: Whether that name is the whole statement.
        unsure: Whether it holds under a condition.
    """

    full: str
    whole: str
    clear: str
    aim: str
    bare: bool = False
    alone: bool = False
    unsure: bool = False


def split_sentences(paragraph: str) -> list[str]:
    """Split a paragraph into sentences, without markup and without longer text in parentheses."""
    text = _LINK.sub(r"\1", paragraph[:_LONGEST])
    bare = _MARKUP.sub("", strip_asides(text))
    return [part for one in _SENTENCE.split(bare) if (part := _MARK.sub("", one).strip())]


def strip_asides(text: str) -> str:
    """Remove text in parentheses, except a single word, which may be another name."""
    return _BESIDES.sub(lambda found: found[0] if _OTHER_NAME.fullmatch(found[1]) else " ", text)


def parse_wanted(sentence: str, *, first: bool) -> Iterator[WantedPhrase]:
    """Iterate over what a sentence wants, the earliest first.

    Args:
        sentence: A sentence as `sentences` returns it.
        first: Whether it opens its section: there a bare name is a choice, and so is one that is praised.
    """
    if sentence.endswith("?"):
        return
    sentence = _HEAD.sub("", sentence, count=1)
    order = _ASIDE.sub("", sentence, count=1).strip() if _ASIDE.match(sentence) else sentence
    if _IMPERATIVE.match(order):
        yield _make_wanted(order)
    elif first:
        yield from _parse_opening(order)
    spans = [(found.start(), _get_clause_before(sentence, found.start())) for found in _PASSIVE.finditer(sentence)]
    spans += [(found.start(), sentence[found.end() :]) for found in _ACTIVE.finditer(sentence)]
    for start, text in sorted(spans):
        if not _is_denied(sentence, start):
            yield _make_wanted(text, unsure=_WHEN.match(sentence) is not None)


def _is_denied(sentence: str, start: int) -> bool:
    """Return whether what a verb wants is denied before it or withdrawn after it."""
    if _DENIES_BEFORE.search(sentence[max(0, start - 60) : start]):
        return True
    return _WISH.match(sentence, start) is not None and _TAKEN_BACK.search(sentence, start) is not None


def make_phrase(text: str) -> WantedPhrase:
    """Return the name behind "chosen option:" as a wanted phrase."""
    name = f"option {text}" if _PLACES.fullmatch(text) else text
    return WantedPhrase(name, name, name, name, bare=True)


def _make_wanted(text: str, *, bare: bool = False, unsure: bool = False) -> WantedPhrase:
    whole = _cut_at(_REASON, text)
    clear = _cut_at(_NO, whole)
    unsure = unsure or _CONDITION.match(text) is not None
    return WantedPhrase(text, whole, clear, _cut_at(_AIM, clear, clear.find(" ") + 1), bare, alone=bare, unsure=unsure)


def _parse_opening(sentence: str) -> Iterator[WantedPhrase]:
    """Iterate over what an opening sentence wants if it is only a name, or if it praises its subject."""
    name = _cut_at(_NAMED, sentence)
    if not (_ACTIVE.search(name) or _PASSIVE.search(name) or _VERB.search(name)):
        yield _make_wanted(name, bare=True)
    if (praise := _PRAISE.search(sentence)) and not _NO.search(sentence, 0, praise.start()):
        subject = " ".join(sentence[: praise.start()].split()[:-1])
        yield _make_wanted(subject, bare=True)


def _get_clause_before(sentence: str, end: int) -> str:
    """Return the clause that ends where its verb begins."""
    clause = _APART.split(sentence[:end])[-1].strip()
    return _ASIDE.sub("", clause, count=1) if _ASIDE.match(clause) else clause


def _cut_at(stop: "re.Pattern[str]", text: str, start: int = 0) -> str:
    found = stop.search(text, start)
    return text[: found.start()] if found else text
