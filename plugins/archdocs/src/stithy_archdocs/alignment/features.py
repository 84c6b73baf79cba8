"""All features of one proposal and the records compared with it."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from stithy_archdocs.alignment.alignment_signal import RELATED, AlignmentSignal
from stithy_archdocs.alignment.deliberation import is_deliberation, is_maintenance
from stithy_archdocs.alignment.feature_words import ProposalWords, RecordWords, measure_share
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.practice_rules import compare_sides
from stithy_archdocs.alignment.rule_signals import find_signals
from stithy_archdocs.alignment.statement_parser import ParsedRecord, Proposal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokenizer import Token
from stithy_archdocs.alignment.word_lists import load_word_list

_SATURATION, _LENGTH_SHARE, _USUAL_LENGTH = 1.2, 0.5, 400
"""k1 and b of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework), and a record's usual words."""
_OTHERS = 20
"""Imaginary records without any shared word: among only two records no word would be rare."""


@frozen(eq=False)
class Corpus:
    """Document frequencies of the compared records.

    Args:
        records: Number of records.
        holders: Number of records that contain each key.
    """

    records: int
    holders: Mapping[str, int]

    def get_rarity(self, key: str) -> float:
        """Return the inverse document frequency of a key; higher means rarer."""
        having = self.holders.get(key, 0)
        return math.log(1 + (self.records + _OTHERS - having + 0.5) / (having + 0.5))

    def weight(self, words: Mapping[str, float]) -> float:
        """Return the weights of words, scaled by rarity and summed; never 0, since callers divide by it."""
        return sum(self.get_rarity(key) * weight for key, weight in words.items()) or 1.0

    def score(self, key: str, count: int, length: int) -> float:
        """Return the BM25 score of a key that occurs `count` times in a text of `length` words."""
        long = 1 - _LENGTH_SHARE + _LENGTH_SHARE * length / _USUAL_LENGTH
        return self.get_rarity(key) * count * (_SATURATION + 1) / (count + _SATURATION * long)

    def get_key_words(self, counts: Mapping[str, int], many: int) -> Mapping[str, float]:
        """Return the most characteristic words of a text with their shares; the shares add up to 1."""
        ranked = sorted(((math.sqrt(count) * self.get_rarity(key), key) for key, count in counts.items()), reverse=True)
        whole = sum(value for value, _ in ranked[:many]) or 1.0
        return {key: value / whole for value, key in ranked[:many]}


def build_corpus(readings: Sequence[ParsedRecord]) -> Corpus:
    """Count the words of records."""
    holders: Counter[str] = Counter()
    for reading in readings:
        holders.update(reading.wide)
    return Corpus(len(readings), holders)


_ENOUGH = 3.0


def measure_agreement(
    said: ProposalWords, decided: RecordWords, corpus: Corpus, lexicon: Lexicon
) -> Iterator[tuple[str, float]]:
    """Iterate over the names and values of the features."""
    yield from _measure_roles(said, decided, corpus)
    yield from _measure_title(said, decided)
    yield from _measure_options(said, decided)
    yield from _measure_opposites(said, decided, lexicon)


def _measure_roles(said: ProposalWords, decided: RecordWords, corpus: Corpus) -> Iterator[tuple[str, float]]:
    for role in ("title", "chosen", "rejected", "decision"):
        agreed = against = 0.0
        for own in decided.reading.statements:
            for statement in said.proposal.statements if own.role == role else ():
                for value in _compare_words(statement, own, corpus):
                    agreed, against = agreed + max(value, 0.0), against + max(-value, 0.0)
        yield f"agrees_{role}", math.log1p(agreed)
        yield f"differs_{role}", math.log1p(against)


def _compare_words(statement: Statement, own: Statement, corpus: Corpus) -> Iterator[float]:
    """Iterate over the shared words' contributions: positive if both want a word or both reject it."""
    ours, theirs = statement.weighted_words, own.weighted_words
    for key, (weight, sign) in ours.items():  # in order: the sum over a set would vary with hash seeds
        if key in theirs:
            yield weight * sign * theirs[key][1] * corpus.get_rarity(key) / _ENOUGH


def _measure_title(said: ProposalWords, decided: RecordWords) -> Iterator[tuple[str, float]]:
    leading = decided.leading
    weights = {key: weight for key, (weight, _) in leading.items()}
    wanted = sum(one for key, one in said.wanted.items() if key in leading)
    unwanted = sum(one for key, one in said.unwanted.items() if key in leading)
    elsewhere = sum(one for key, one in said.unwanted.items() if key in decided.reading.wide and key not in leading)
    yield "title_said", measure_share(weights, said.all)
    yield "title_wanted", min(wanted, _ENOUGH) / _ENOUGH
    yield "title_unwanted", min(unwanted, _ENOUGH) / _ENOUGH
    yield "mentioned_unwanted", min(elsewhere, _ENOUGH) / _ENOUGH
    yield "unwanted", sum(said.unwanted.values()) / said.weight
    yield (
        "unwanted_unknown",
        sum(one for key, one in said.unwanted.items() if key not in decided.reading.wide) / said.weight,
    )
    aside = (decided.reading.wide - decided.reading.decided.keys()) | decided.words("rejected")
    yield "unwanted_aside", sum(one for key, one in said.unwanted.items() if key in aside) / said.weight
    against = sum(one for key, one in said.unwanted.items() if key in leading and leading[key][1] > 0)
    yield "only_aside_unwanted", float(bool(said.unwanted) and not against)
    yield "title_denies", float(any(sign < 0 for _, sign in leading.values()))


def _measure_options(said: ProposalWords, decided: RecordWords) -> Iterator[tuple[str, float]]:
    rejected = decided.words("rejected")
    yield "only_rejected", measure_share(said.all, rejected - decided.leading.keys())
    yield "only_chosen", measure_share(said.all, decided.leading.keys() - rejected)


def _measure_opposites(said: ProposalWords, decided: RecordWords, lexicon: Lexicon) -> Iterator[tuple[str, float]]:
    alike = opposite = 0
    for own in decided.reading.statements:
        for statement in said.proposal.statements if own.role != "rejected" else ():
            shared = statement.weighted_words.keys() & own.weighted_words.keys()
            if shared:
                one, other = compare_sides(statement, own, shared, lexicon)
                alike, opposite = alike + one, opposite + other
    yield "sides_alike", min(alike, _ENOUGH) / _ENOUGH
    yield "sides_opposite", min(opposite, _ENOUGH) / _ENOUGH


_KEY_WORDS, _DECIDED_WORDS = 8, 6
_ENOUGH_NAMES, _ENOUGH_WEIGHT = 2, 4.0


def measure_nearness(
    said: ProposalWords, decided: RecordWords, corpus: Corpus, lexicon: Lexicon
) -> Iterator[tuple[str, float]]:
    """Iterate over the names and values of the features."""
    yield from _measure_search(said, decided.reading, corpus)
    yield from _measure_shares(said, decided)
    yield from _measure_key_words(said, decided.reading, corpus)
    yield from _measure_new(said, decided.reading, corpus)
    yield from _measure_ways(said, decided)
    yield from _measure_names(said, decided, lexicon)


def _measure_search(said: ProposalWords, reading: ParsedRecord, corpus: Corpus) -> Iterator[tuple[str, float]]:
    """Score like a search: in the whole text, and in the sections of the decision."""
    most = corpus.weight(said.all)
    for name, counts in (("found", reading.counts), ("found_decided", reading.decided)):
        told = sum(
            corpus.score(key, counts[key], reading.length) * weight
            for key, weight in said.all.items()
            if counts.get(key)
        )
        yield name, told / 10
        yield f"{name}_share", told / most


def _measure_shares(said: ProposalWords, decided: RecordWords) -> Iterator[tuple[str, float]]:
    for role in ("title", "chosen", "rejected", "decision"):
        part = measure_share(said.all, decided.words(role))
        yield f"share_{role}", part
        yield f"weight_{role}", min(part * said.weight, _ENOUGH_WEIGHT) / _ENOUGH_WEIGHT
    for name, words in (("topic", decided.reading.topic), ("wide", decided.reading.wide)):
        yield f"share_{name}", measure_share(said.all, words)
        yield f"first_{name}", measure_share(said.first, words)
    yield "first_title", measure_share(said.first, decided.words("title"))


def _measure_key_words(said: ProposalWords, reading: ParsedRecord, corpus: Corpus) -> Iterator[tuple[str, float]]:
    """Measure which characteristic words of the record are wanted and which are unwanted."""
    key_words = corpus.get_key_words(reading.counts, _KEY_WORDS)
    first = next(iter(key_words), "")
    yield "key_words", sum(part for key, part in key_words.items() if key in said.all)
    yield "key_words_wanted", sum(part for key, part in key_words.items() if key in said.wanted)
    yield "key_words_unwanted", sum(part for key, part in key_words.items() if key in said.unwanted)
    yield "first_key_word", float(first in said.all)
    yield "first_key_word_unwanted", float(first in said.unwanted)
    chosen = corpus.get_key_words(reading.decided, _DECIDED_WORDS)
    yield "decided_words_wanted", sum(part for key, part in chosen.items() if key in said.wanted)
    yield "decided_words_unwanted", sum(part for key, part in chosen.items() if key in said.unwanted)


def _measure_new(said: ProposalWords, reading: ParsedRecord, corpus: Corpus) -> Iterator[tuple[str, float]]:
    """Measure the wanted words that the record, or its decision, does not contain."""
    whole = corpus.weight(said.all)
    for name, known in (("new", reading.wide), ("not_decided", reading.decided)):
        yield name, sum(corpus.get_rarity(key) * one for key, one in said.wanted.items() if key not in known) / whole


def _measure_ways(said: ProposalWords, decided: RecordWords) -> Iterator[tuple[str, float]]:
    """Measure how much of the means and of the end the record contains."""
    told = decided.words("title", "chosen", "decision") | decided.reading.decided.keys()
    for name, inside in (("means", True), ("end", False)):
        words = {
            token.key: token.weight
            for one in said.proposal.statements
            for token, within in zip(one.tokens, one.means, strict=True)
            if within is inside and token.weight
        }
        yield name, measure_share(words, told) if words else 0.5
        if inside:
            yield "has_means", float(bool(words))


def _measure_names(said: ProposalWords, decided: RecordWords, lexicon: Lexicon) -> Iterator[tuple[str, float]]:
    """Count the names that the record decides about, those it only mentions, and those it lacks."""
    reading = decided.reading
    names = {token.key for at, token in enumerate(said.proposal.words) if _is_named(token, first=at == 0)}
    told = reading.decided.keys() | decided.words("title", "chosen", "decision")
    yield "names_decided", _scale_count(len(names & told))
    yield "names_mentioned", _scale_count(len((names & reading.wide) - told))
    yield "names_new", _scale_count(len(names - reading.wide))
    terms = {token.term for token in said.proposal.words if token.term}
    leading = {token.term for one in reading.statements if one.role in ("title", "chosen") for token in one.tokens}
    leading.discard("")
    yield "shared_name", float(bool(terms & leading))
    yield "rival_name", float(any(lexicon.find_shared_slot(one, other) for one in terms for other in leading))
    yield "known_name_new", float(bool(terms - reading.wide))


def _is_named(token: Token, *, first: bool) -> bool:
    return token.is_distinctive and (bool(token.term) or (token.text[:1].isupper() and not first))


def _scale_count(count: int) -> float:
    return min(count, _ENOUGH_NAMES) / _ENOUGH_NAMES


CUES = (
    "asking",
    "returning",
    "instead",
    "giving_up",
    "plain",
    "applying",
    "keeping",
    "forbidding",
    "allowing",
    "embracing",
    "reasoning",
    "obliging",
)
"""Word lists in `words.toml`; each has the prefix "cue_" there."""
_FIRST = 4
_LONG, _MANY = 20, 5


def measure_manner(said: ProposalWords) -> Iterator[tuple[str, float]]:
    """Iterate over the names and values of the features."""
    statements = said.proposal.statements
    words = [token.word for token in said.proposal.words]
    for cue in CUES:
        known = load_word_list(f"cue_{cue}")
        yield f"cue_{cue}", float(not known.isdisjoint(words))
        yield f"begins_{cue}", float(not known.isdisjoint(words[:_FIRST]))
    yield "asks", float(is_deliberation(statements))
    yield "tends", float(bool(statements) and is_maintenance(statements))
    yield "cued", float(any(one.cued for one in statements))
    yield "turned", float(any(all(sign < 0 for sign in one.signs) for one in statements))
    yield "mixed", float(any({sign for _, sign in one.iterate_distinctive()} == {1, -1} for one in statements))
    yield "denies", float(bool(said.unwanted))
    yield "long", min(len(said.all), _LONG) / _LONG
    yield "wishes", min(len(statements), _MANY) / _MANY


Measures = Mapping[str, float]
_BEST = {"found": 1.0, "found_decided": 0.6}
"""Features that are also measured relative to the best record.

The value is the least that the best record is assumed to have, as a record about the proposal mostly has it.
"""


@frozen(eq=False)
class ComparedRecord:
    """A proposal beside one record.

    Args:
        proposal: The proposal, with names spelled as in the record.
        reading: The record.
        signals: Signals of the rules, the strongest first.
        measures: The features.
    """

    proposal: Proposal
    reading: ParsedRecord
    signals: Sequence[AlignmentSignal]
    measures: Measures


def compare_records(proposal: Proposal, readings: Sequence[ParsedRecord], lexicon: Lexicon) -> list[ComparedRecord]:
    """Run the rules on each record, and compute the features."""
    corpus = build_corpus(readings)
    written = [proposal.respell_for(reading) for reading in readings]
    heard = [find_signals(one, reading, lexicon) for one, reading in zip(written, readings, strict=True)]
    pairs = list(zip(written, readings, heard, strict=True))
    found = [_measure(one, reading, told, corpus, lexicon) for one, reading, told in pairs]
    best = {name: max(least, *(one[name] for one in found)) for name, least in _BEST.items() if found}
    for one in found:
        one |= {f"{name}_best": one[name] / best[name] for name in _BEST}
    return [ComparedRecord(*pair, one) for pair, one in zip(pairs, found, strict=True)]


def _measure(
    proposal: Proposal, reading: ParsedRecord, heard: Sequence[AlignmentSignal], corpus: Corpus, lexicon: Lexicon
) -> dict[str, float]:
    said, decided = ProposalWords(proposal), RecordWords(reading)
    told = _measure_signals(heard)
    after = "" if told["silent"] else " told"
    return {
        **dict(measure_nearness(said, decided, corpus, lexicon)),
        **dict(measure_agreement(said, decided, corpus, lexicon)),
        **{
            name + after: value for name, value in measure_manner(said)
        },  # "instead" says less if a rule has already used it
        **told,
    }


def _measure_signals(heard: Sequence[AlignmentSignal]) -> dict[str, float]:
    """Return the strongest confidence of each rule, and of the only alignment that signals have, if there is one."""
    found: dict[str, float] = {}
    for signal in heard:
        rule = f"{signal.rule} {signal.alignment}"
        found[f"any {signal.alignment}"] = 1.0
        found[rule] = max(found.get(rule, 0.0), signal.confidence)
    told = {signal.alignment for signal in heard} - {RELATED}
    if len(told) == 1:
        found[f"alone {told.pop()}"] = max(one.confidence for one in heard if one.alignment != RELATED)
    return found | {"silent": float(all(one.alignment == RELATED for one in heard))}
