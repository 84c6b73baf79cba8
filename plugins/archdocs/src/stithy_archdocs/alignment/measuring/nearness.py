"""Features of similarity: words that proposal and record share, and words that only one has."""

from collections.abc import Iterator

from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.measuring.corpus import Corpus
from stithy_archdocs.alignment.measuring.words import Decided, Said, share
from stithy_archdocs.alignment.reading import Reading
from stithy_archdocs.alignment.tokens import Token

_KEY_WORDS, _DECIDED_WORDS = 8, 6
_ENOUGH_NAMES, _ENOUGH_WEIGHT = 2, 4.0


def nearness(said: Said, decided: Decided, corpus: Corpus, lexicon: Lexicon) -> Iterator[tuple[str, float]]:
    """Iterate over the names and values of the features."""
    yield from _found(said, decided.reading, corpus)
    yield from _shares(said, decided)
    yield from _key_words(said, decided.reading, corpus)
    yield from _new(said, decided.reading, corpus)
    yield from _ways(said, decided)
    yield from _names(said, decided, lexicon)


def _found(said: Said, reading: Reading, corpus: Corpus) -> Iterator[tuple[str, float]]:
    """Score like a search: in the whole text, and in the sections of the decision."""
    most = corpus.weight(said.all)
    for name, counts in (("found", reading.counts), ("found_decided", reading.decided)):
        told = sum(
            corpus.told(key, counts[key], reading.length) * weight
            for key, weight in said.all.items()
            if counts.get(key)
        )
        yield name, told / 10
        yield f"{name}_share", told / most


def _shares(said: Said, decided: Decided) -> Iterator[tuple[str, float]]:
    for role in ("title", "chosen", "rejected", "decision"):
        part = share(said.all, decided.words(role))
        yield f"share_{role}", part
        yield f"weight_{role}", min(part * said.weight, _ENOUGH_WEIGHT) / _ENOUGH_WEIGHT
    for name, words in (("topic", decided.reading.topic), ("wide", decided.reading.wide)):
        yield f"share_{name}", share(said.all, words)
        yield f"first_{name}", share(said.first, words)
    yield "first_title", share(said.first, decided.words("title"))


def _key_words(said: Said, reading: Reading, corpus: Corpus) -> Iterator[tuple[str, float]]:
    """Measure which characteristic words of the record are wanted and which are unwanted."""
    key_words = corpus.key_words(reading.counts, _KEY_WORDS)
    first = next(iter(key_words), "")
    yield "key_words", sum(part for key, part in key_words.items() if key in said.all)
    yield "key_words_wanted", sum(part for key, part in key_words.items() if key in said.wanted)
    yield "key_words_unwanted", sum(part for key, part in key_words.items() if key in said.unwanted)
    yield "first_key_word", float(first in said.all)
    yield "first_key_word_unwanted", float(first in said.unwanted)
    chosen = corpus.key_words(reading.decided, _DECIDED_WORDS)
    yield "decided_words_wanted", sum(part for key, part in chosen.items() if key in said.wanted)
    yield "decided_words_unwanted", sum(part for key, part in chosen.items() if key in said.unwanted)


def _new(said: Said, reading: Reading, corpus: Corpus) -> Iterator[tuple[str, float]]:
    """Measure the wanted words that the record, or its decision, does not contain."""
    whole = corpus.weight(said.all)
    for name, known in (("new", reading.wide), ("not_decided", reading.decided)):
        yield name, sum(corpus.rarity(key) * one for key, one in said.wanted.items() if key not in known) / whole


def _ways(said: Said, decided: Decided) -> Iterator[tuple[str, float]]:
    """Measure how much of the means and of the end the record contains."""
    told = decided.words("title", "chosen", "decision") | decided.reading.decided.keys()
    for name, inside in (("means", True), ("end", False)):
        words = {
            token.key: token.weight
            for one in said.proposal.statements
            for token, within in zip(one.tokens, one.means, strict=True)
            if within is inside and token.weight
        }
        yield name, share(words, told) if words else 0.5
        if inside:
            yield "has_means", float(bool(words))


def _names(said: Said, decided: Decided, lexicon: Lexicon) -> Iterator[tuple[str, float]]:
    """Count the names that the record decides about, those it only mentions, and those it lacks."""
    reading = decided.reading
    names = {token.key for at, token in enumerate(said.proposal.words) if _is_named(token, first=at == 0)}
    told = reading.decided.keys() | decided.words("title", "chosen", "decision")
    yield "names_decided", _few(len(names & told))
    yield "names_mentioned", _few(len((names & reading.wide) - told))
    yield "names_new", _few(len(names - reading.wide))
    terms = {token.term for token in said.proposal.words if token.term}
    leading = {token.term for one in reading.statements if one.role in ("title", "chosen") for token in one.tokens}
    leading.discard("")
    yield "shared_name", float(bool(terms & leading))
    yield "rival_name", float(any(lexicon.rivals(one, other) for one in terms for other in leading))
    yield "known_name_new", float(bool(terms - reading.wide))


def _is_named(token: Token, *, first: bool) -> bool:
    return token.telling and (bool(token.term) or (token.text[:1].isupper() and not first))


def _few(count: int) -> float:
    return min(count, _ENOUGH_NAMES) / _ENOUGH_NAMES
