"""The rules that are certain enough for a verdict: each compares names and options, and quotes what it rests on.

A rule returns nothing when in doubt: then the record is a candidate, and the caller reads its passages.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain

from attrs import frozen

from stithy_archdocs.alignment.record_terms import Passage, RecordTerms
from stithy_archdocs.alignment.signed_terms import Term
from stithy_archdocs.alignment.technology_names import TechnologyNames
from stithy_archdocs.alignment.word_stems import get_stems

SUPPORTS, CONFLICTS = "supports", "conflicts"
SURE = 0.7
"""Least confidence of a verdict."""


@frozen
class Finding:
    """What one rule found.

    Args:
        alignment: supports or conflicts.
        relation: More specific relation between proposal and record.
        rule: The rule.
        confidence: From 0 to 1.
        reason: Explanation for a reader.
        passage: The passage of the record that shows it.
        option: Keys of a rejected option that the proposal wants.
        around: Keys of the subject for which it was rejected, and that the proposal has, too.
    """

    alignment: str
    relation: str
    rule: str
    confidence: float
    reason: str
    passage: Passage
    option: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()


class SignedProposal:
    """The terms of a proposal, by what it wants.

    Args:
        terms: All terms.
    """

    def __init__(self, terms: Collection[Term]) -> None:
        self.terms = {term.key: term for term in reversed(tuple(terms))}
        self.all = frozenset(self.terms)
        unclear = {one.key for one in terms for other in terms if one.key == other.key and one.sign != other.sign}
        self.wanted = frozenset(term.key for term in terms if term.sign > 0) - unclear
        self.unwanted = frozenset(term.key for term in terms if term.sign < 0) - unclear
        self.names = frozenset(term.key for term in terms if term.is_name)
        self.own_names = frozenset(term.key for term in terms if term.is_name and not term.modifies)
        self.taken = frozenset(term.key for term in terms if term.sign > 0 and _is_taken(term)) - unclear

    def find_shared(self, stems: Collection[str]) -> frozenset[str]:
        """Return the keys of the terms whose words all are among some stems."""
        return frozenset(key for key, term in self.terms.items() if term.stems.issubset(stems))

    def has_name(self, term: Term) -> bool:
        """Return whether it has a name, and not another one that shares a word: "Slack Workspace"."""
        own = self.terms.get(term.key)
        return own is not None and not own.modifies and own.beside == term.beside

    def list_texts(self, keys: Collection[str]) -> str:
        """Return words as the proposal writes them."""
        return ", ".join(term.text for key, term in sorted(self.terms.items()) if key in keys)


def _is_taken(term: Term) -> bool:
    """Return whether a proposal is about a term, and not about what it modifies or is a means for."""
    return not term.modifies and term.taken != "means" and bool(term.taken or (term.first and term.is_name))


def find_verdict(proposal: SignedProposal, record: RecordTerms, technologies: TechnologyNames) -> list[Finding]:
    """Return what the rules found, the most certain first; nothing if they disagree or none is certain."""
    found = [one for rule in _RULES for one in rule(proposal, record, technologies) if one.confidence >= SURE]
    if len({one.alignment for one in found}) != 1:
        return []
    return sorted(found, key=lambda one: -one.confidence)


def keep_nearest(findings: Sequence[Sequence[Finding]]) -> list[Sequence[Finding]]:
    """Empty the findings of records that reject an option for another subject than the record that shares most.

    One option may be considered for several things: a tool that was rejected for chats may be fine for a forum.

    Args:
        findings: What was found in each record.
    """
    most: dict[frozenset[str], int] = {}
    for one in chain.from_iterable(findings):
        most[one.option] = max(most.get(one.option, 0), len(one.around))
    return [found if all(len(one.around) >= most[one.option] for one in found) else () for found in findings]


def _find_rejected_options(proposal: SignedProposal, record: RecordTerms, _: TechnologyNames) -> Iterator[Finding]:
    """Find an option that was considered and not chosen, and that the proposal wants."""
    chosen = frozenset[str]().union(record.title.keys, *(one.keys for one in record.get_options("chosen")))
    for option in record.get_options("rejected"):
        own = option.keys - chosen
        wanted = own & proposal.wanted
        if not own or len(wanted) < len(own) * _MOST_OF:
            continue
        names = {one.key for one in option.terms if one.is_name and not one.modifies and proposal.has_name(one)}
        around = _find_subject(proposal, record, wanted)
        if around and (names & wanted & proposal.taken or len(wanted) >= _SEVERAL):
            reason = f"it was considered and not chosen: {proposal.list_texts(wanted)}"
            yield Finding(CONFLICTS, "rejected_option", "rejected-option", 0.8, reason, option, wanted, around)


_MOST_OF = 0.75
"""Least share of an option's own words that the proposal must have."""
_SEVERAL = 2


def _find_subject(proposal: SignedProposal, record: RecordTerms, options: frozenset[str]) -> frozenset[str]:
    """Return the keys for what both are about beside the compared options; none if they are on any subject."""
    compared = options | (proposal.names - record.title.all_keys)
    shared = (proposal.all & record.subject) - compared - get_stems("actions")
    is_same = any(key in record.title.all_keys or proposal.terms[key].is_distinctive for key in shared)
    return shared if is_same else frozenset()


def _find_dropped_names(proposal: SignedProposal, record: RecordTerms, _: TechnologyNames) -> Iterator[Finding]:
    """Find a name that the record decides for and the proposal drops, or the other way round."""
    for key, (term, passage) in _collect_names(record).items():
        sign, text = term.sign, proposal.list_texts({key})
        if key not in proposal.own_names or not proposal.has_name(term):
            continue
        if sign > 0 and key in proposal.unwanted:
            reason = f"{text} was decided, and the proposal drops it"
            yield Finding(CONFLICTS, "reverses", "polarity", 0.85, reason, passage)
        elif sign < 0 and key in proposal.taken:
            reason = f"the record decides against {text}"
            yield Finding(CONFLICTS, "contradicts", "polarity", 0.8, reason, passage)
        elif sign > 0 and key in proposal.taken and _is_main(passage) and _is_covered(proposal, record):
            yield Finding(SUPPORTS, "same_decision", "chosen-option", 0.75, f"{text} was decided", passage)


def _is_main(passage: Passage) -> bool:
    """Return whether a passage states a choice: a chosen option, or a title that does not turn what it names."""
    return passage.role in ("chosen", "title") and not passage.stems & get_stems("turning")


def _is_covered(proposal: SignedProposal, record: RecordTerms) -> bool:
    """Return whether a record has most of what is wanted, every name of it, and nothing that is not wanted."""
    wanted = {key for key in proposal.wanted if proposal.terms[key].is_distinctive}
    known = proposal.find_shared(record.topic)
    shared = wanted & known
    return (
        len(shared) >= min(_SEVERAL, len(wanted))
        and len(shared) >= len(wanted) * _COVERED
        and not (proposal.wanted & proposal.names) - known
        and not proposal.unwanted & known
        and not _wants_rejected(proposal, record)
        and not _is_opposed(proposal, record)
    )


def _wants_rejected(proposal: SignedProposal, record: RecordTerms) -> bool:
    """Return whether a proposal wants a word that only an option has which was not chosen."""
    chosen = record.title.all_keys.union(*(one.all_keys for one in record.get_options("chosen")))
    rejected = frozenset[str]().union(*(one.all_keys for one in record.get_options("rejected")))
    return bool(proposal.wanted & rejected - chosen)


def _is_opposed(proposal: SignedProposal, record: RecordTerms) -> bool:
    """Return whether one wants apart what the other wants together, each in the words of only one side."""
    apart, together = get_stems("apart"), get_stems("together")
    stems = record.title.stems.union(*(one.stems for one in record.sentences[:_FIRST]))
    return bool((proposal.all & apart and stems & together) or (proposal.all & together and stems & apart))


_COVERED = 0.6


def _collect_names(record: RecordTerms) -> Mapping[str, tuple[Term, Passage]]:
    """Return the names that a record decides about, each as a wanted or unwanted term, and the passage."""
    found: dict[str, tuple[Term, Passage]] = {}
    against = {term.key for one in record.get_options("rejected") for term in one.terms}
    for passage in (*record.get_options("chosen"), record.title, *record.sentences[:_FIRST]):
        for term in passage.terms:
            if not (term.is_name and term.sign and _is_decided(term, passage.role)) or term.modifies:
                continue
            if not (term.sign > 0 and term.key in against):
                found.setdefault(term.key, (term, passage))
    return found


def _is_decided(term: Term, role: str) -> bool:
    """Return whether a name is what a passage decides, and not a means or a place: "a monorepo with Yarn"."""
    if not term.taken:
        return role == "chosen" or (role == "title" and term.first)
    return term.sign < 0 or term.taken not in ("inner", "means")


_FIRST = 2
"""Sentences of a decision that state it."""


def _find_turned_titles(proposal: SignedProposal, record: RecordTerms, _: TechnologyNames) -> Iterator[Finding]:
    """Find a title or a chosen option of which the proposal wants the opposite, word for word."""
    for passage in (record.title, *record.get_options("chosen")):
        keys = {term.key: term.sign for term in passage.terms if term.is_distinctive}
        signs = {_get_sign(proposal, key) * sign for key, sign in keys.items()}
        same = passage is record.title or _find_subject(proposal, record, passage.all_keys - record.title.all_keys)
        if len(keys) >= _SEVERAL and signs == {-1} and same:
            yield Finding(CONFLICTS, "reverses", "polarity", 0.75, "it drops what was decided", passage)


def _get_sign(proposal: SignedProposal, key: str) -> int:
    return (key in proposal.wanted) - (key in proposal.unwanted)


def _find_competitors(
    proposal: SignedProposal, record: RecordTerms, technologies: TechnologyNames
) -> Iterator[Finding]:
    """Find a technology that competes with the decided one, for the same subject."""
    names = _collect_names(record)
    for key in sorted(proposal.taken - names.keys()):
        for own, (term, passage) in names.items():
            slot = technologies.find_competition(key, own)
            if not slot or term.sign < 0 or own in proposal.wanted or term.beside or proposal.terms[key].beside:
                continue
            words = technologies.words[slot]
            if passage.role == "decision" and not words & record.title.all_keys:
                continue
            around = _find_subject(proposal, record, words | {key, own})
            if around or (slot not in technologies.several and record.is_only_about(words)):
                reason = f"the record decides for another {slot.replace('_', ' ')} than {proposal.list_texts({key})}"
                yield Finding(CONFLICTS, "competitor", "competitor", 0.75, reason, passage)


_RULES: tuple[Callable[[SignedProposal, RecordTerms, TechnologyNames], Iterator[Finding]], ...] = (
    _find_rejected_options,
    _find_dropped_names,
    _find_turned_titles,
    _find_competitors,
)
