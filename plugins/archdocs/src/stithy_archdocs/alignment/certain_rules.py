"""The rules that are certain enough for a verdict: each compares names and options, and quotes what it rests on.

A rule returns nothing when in doubt: then the record is a candidate, and the caller reads its passages.
"""

from collections.abc import Collection, Iterator, Mapping

from attrs import frozen

from stithy_archdocs.alignment.record_terms import Passage, RecordTerms
from stithy_archdocs.alignment.signed_terms import Term, parse_terms
from stithy_archdocs.alignment.technology_names import TechnologyNames
from stithy_archdocs.alignment.word_stems import get_stems, load_words

SUPPORTS, CONFLICTS = "supports", "conflicts"


@frozen
class Finding:
    """What one rule found.

    Args:
        alignment: supports or conflicts.
        relation: More specific relation between proposal and record.
        rule: The rule.
        confidence: From 0.7 to 1.
        reason: Explanation for a reader.
        passage: The passage of the record that shows it.
    """

    alignment: str
    relation: str
    rule: str
    confidence: float
    reason: str
    passage: Passage


class SignedProposal:
    """The terms of a proposal, by what it wants.

    Attributes:
        terms: All terms, by their keys.
        wanted: The keys of those that it wants, and does not reject elsewhere.
        unwanted: The keys of those that it rejects.
        taken: The keys of those that it is about.
    """

    def __init__(self, text: str, technologies: TechnologyNames) -> None:
        terms = parse_terms(text, technologies)
        self.terms = {term.key: term for term in reversed(tuple(terms))}
        unclear = {one.key for one in terms for other in terms if one.key == other.key and one.sign != other.sign}
        self.wanted = frozenset(term.key for term in terms if term.sign > 0) - unclear
        self.unwanted = frozenset(term.key for term in terms if term.sign < 0) - unclear
        self.taken = frozenset(term.key for term in terms if term.sign > 0 and _is_taken(term)) - unclear

    def find_shared(self, stems: Collection[str]) -> frozenset[str]:
        """Return the keys of the terms whose words all are among some stems."""
        return frozenset(key for key, term in self.terms.items() if term.stems.issubset(stems))

    def find_subject(self, compared: Collection[str]) -> frozenset[str]:
        """Return the keys of the words that tell what a proposal is about, beside the compared names and options."""
        names = {key for key in self.taken | self.unwanted if self.terms[key].is_name}
        return select_subject(self.terms.values()) - names - frozenset(compared)

    def has_name(self, term: Term) -> bool:
        """Return whether it has a name, and neither another one that shares a word nor only that word: "no effect"."""
        own = self.terms.get(term.key)
        return own is not None and (own.is_name or own.taken == "object") and own.beside == term.beside

    def list_texts(self, keys: Collection[str]) -> str:
        """Return words as the proposal writes them."""
        return ", ".join(term.text for key, term in sorted(self.terms.items()) if key in keys)


def select_subject(terms: Collection[Term]) -> frozenset[str]:
    """Return the keys of the words that only few records have: neither general nouns nor verbs for any work."""
    return frozenset(term.key for term in terms if term.is_distinctive) - get_stems("actions")


def _is_taken(term: Term) -> bool:
    """Return whether a proposal is about a term, and not about what it modifies or is a means for."""
    return term.taken != "means" and bool(term.taken or (term.first and term.is_name))


def find_verdict(proposal: SignedProposal, record: RecordTerms, technologies: TechnologyNames) -> list[Finding]:
    """Return what the rules found, the most certain first; nothing if they disagree or none is certain."""
    found = [
        *_find_rejected_options(proposal, record),
        *_find_dropped_names(proposal, record, technologies),
        *_find_competitors(proposal, record, technologies),
    ]
    if len({one.alignment for one in found}) != 1:
        return []
    return sorted(found, key=lambda one: -one.confidence)


def _find_rejected_options(proposal: SignedProposal, record: RecordTerms) -> Iterator[Finding]:
    """Find an option that was not chosen, and that the proposal wants whole, or takes by name for the same subject."""
    chosen = frozenset[str]().union(record.title.keys, *(one.keys for one in record.get_options("chosen-option")))
    for option in record.get_options("rejected-option"):
        own, subject = option.keys - chosen, proposal.find_subject(option.keys)
        names = {one.key for one in option.terms if one.is_name and proposal.has_name(one)} & proposal.taken & own
        is_named = names and subject and _has_most(record, proposal, subject) and _shares_title(record, proposal, names)
        if is_named or (len(own) > _SEVERAL and own <= proposal.wanted):
            reason = f"it was considered and not chosen: {proposal.list_texts(names if is_named else own)}"
            yield Finding(CONFLICTS, "rejected_option", "rejected-option", 0.8, reason, option)


_SEVERAL = 3
"""Words of an option; a longer one is not met by chance."""


def _has_most(record: RecordTerms, proposal: SignedProposal, subject: frozenset[str]) -> bool:
    """Return whether a record has most of the words for the subject of a proposal, or there are none."""
    return len(proposal.find_shared(record.topic) & subject) * 2 >= len(subject)


def _shares_title(record: RecordTerms, proposal: SignedProposal, compared: Collection[str]) -> bool:
    """Return whether a proposal has half of the words for the subject of a record, beside what is compared."""
    title = select_subject([term for term in record.title.terms if not term.is_technology]) - frozenset(compared)
    return len(title & proposal.terms.keys()) * 2 >= len(title)


def _find_dropped_names(
    proposal: SignedProposal, record: RecordTerms, technologies: TechnologyNames
) -> Iterator[Finding]:
    """Find a name that the record decides for and the proposal drops, or the other way round."""
    names = _collect_names(record)
    for key, (term, passage) in names.items():
        if not proposal.has_name(term):
            continue
        sign, text = term.sign, proposal.list_texts({key})
        subject = proposal.find_subject({key})
        several = not technologies.several.isdisjoint(technologies.slots.get(key, ()))
        shares = _shares_title(record, proposal, names)
        is_same = shares or (_has_most(record, proposal, subject) and bool(subject or term.taken != "place"))
        if is_same and sign > 0 and key in proposal.unwanted:
            reason = f"{text} was decided, and the proposal drops it"
            yield Finding(CONFLICTS, "reverses", "polarity", 0.85, reason, passage)
        elif is_same and sign < 0 and key in proposal.taken:
            reason = f"the record decides against {text}"
            yield Finding(CONFLICTS, "contradicts", "polarity", 0.8, reason, passage)
        elif shares and sign > 0 and _supports(proposal, record, passage, key, several=several):
            yield Finding(SUPPORTS, "same_decision", "chosen-option", 0.75, f"{text} was decided", passage)


def _supports(proposal: SignedProposal, record: RecordTerms, passage: Passage, key: str, *, several: bool) -> bool:
    """Return whether a record states a choice and has every word that a proposal wants, and none that it does not want.

    The proposal must take the name: what only begins with it may say anything of it. Of a name for several parts of a
    system, such as a language, general words count as well: "build tools in Rust".
    """
    if passage.role == "decision" or key not in proposal.taken or not proposal.terms[key].taken:
        return False
    states = (record.title, *record.get_options("chosen-option"), *record.sentences)
    known = proposal.find_shared(frozenset[str]().union(*(one.stems for one in states)))
    wanted = {key for key in proposal.wanted if several or proposal.terms[key].is_distinctive}
    return wanted <= known and not proposal.unwanted & known


def _collect_names(record: RecordTerms) -> Mapping[str, tuple[Term, Passage]]:
    """Return the names that a record decides about, each as a wanted or unwanted term, and the passage."""
    found: dict[str, tuple[Term, Passage]] = {}
    if load_words("turning") & set(record.title.quote.lower().split()):
        return found
    against = {term.key for one in record.get_options("rejected-option") for term in one.terms}
    against |= {term.key for one in record.sentences[:_FIRST] for term in one.terms if term.sign < 0}
    for passage in (*record.get_options("chosen-option"), record.title, *record.sentences[:_FIRST]):
        signs = {(term.key, term.sign) for term in passage.terms}
        for term in passage.terms:
            is_clear = (term.key, -term.sign) not in signs and not (term.sign > 0 and term.key in against)
            if term.is_name and is_clear and _is_decided(term, passage):
                found.setdefault(term.key, (term, passage))
    return found


def _is_decided(term: Term, passage: Passage) -> bool:
    """Return whether a name is what a passage decides, and not a means or a place: "a monorepo with Yarn"."""
    if not term.taken:
        return passage.role != "decision" and (term.first or term.sign < 0)
    return term.sign < 0 or term.taken != "means"


_FIRST = 2
"""Sentences of a decision that state it."""


def _find_competitors(
    proposal: SignedProposal, record: RecordTerms, technologies: TechnologyNames
) -> Iterator[Finding]:
    """Find a technology that competes with the decided one, for the same subject."""
    names = _collect_names(record)
    for key in sorted(proposal.taken - names.keys() - {term.key for term in record.title.terms if term.sign > 0}):
        for own, (term, passage) in names.items():
            slot = technologies.find_competition(key, own)
            if not slot or term.sign < 0 or own in proposal.wanted or term.beside or proposal.terms[key].beside:
                continue
            words = technologies.words[slot]
            subject = proposal.find_subject(words | {key})
            is_same = _has_most(record, proposal, subject) and _shares_title(record, proposal, words | {own})
            if is_same and (subject or slot not in technologies.several):
                reason = f"the record decides for another {slot.replace('_', ' ')} than {proposal.list_texts({key})}"
                yield Finding(CONFLICTS, "competitor", "competitor", 0.75, reason, passage)
