"""What a proposal wants and what it does not: in doubt neither, since a turned sign would turn a verdict."""

import pytest

from stithy_archdocs.alignment.signed_terms import MOST_WORDS, parse_terms
from stithy_archdocs.alignment.technology_names import load_technologies
from stithy_archdocs.alignment.word_stems import stem

NAMES = load_technologies({})


def read(proposal):
    """Return the signs of all words; 0 for a word that is both wanted and unwanted."""
    found = {}
    for term in parse_terms(proposal, NAMES):
        found[term.key] = term.sign if found.get(term.key, term.sign) == term.sign else 0
    return found


@pytest.mark.parametrize(
    ("proposal", "wanted", "unwanted"),
    [
        ("Give up Quillon for Glimmer", "glimmer", "quillon"),
        ("Do without Quillon", "", "quillon"),
        ("Go back to Quillon", "quillon", ""),
        ("Never go back to Quillon", "", "quillon"),
        ("Move the lists away from Quillon", "lists", "quillon"),
        ("Never move the lists away from Quillon", "quillon", ""),
        ("Do not switch back to Quillon", "", "quillon"),
        ("Leave the importer without Quillon", "importer", "quillon"),
        ("Don't let anybody write other than through Quillon", "quillon", ""),
        ("Keep the list in a column rather than in Quillon", "column", "quillon"),
        ("Run it on the typed tree, never on the raw text", "typed", "raw"),
        ("Keep the role wide and do not bind Quillon", "wide", "quillon"),
        ("Retire Quillon and point its users to Glimmer", "glimmer", "quillon"),
        ("Under no circumstances should we give up Quillon", "quillon", ""),
        ("Use anything but Quillon", "", "quillon"),
        ("Refrain from using Quillon", "", "quillon"),
        ("Replace Quillon by Glimmer", "glimmer", "quillon"),
        ("Quillon will no longer print the lists", "", "quillon"),
        ("Never drop Quillon", "quillon", ""),
        ("Manage the lists outside of Quillon", "lists", "quillon"),
    ],
)
def test_wanted_and_unwanted_words_are_found(proposal, wanted, unwanted):
    found = read(proposal)
    assert {word: found[stem(word)] for word in wanted.split()} == dict.fromkeys(wanted.split(), 1)
    assert {word: found[stem(word)] for word in unwanted.split()} == dict.fromkeys(unwanted.split(), -1)


@pytest.mark.parametrize(
    ("proposal", "turned"),
    [
        ("Rip Quillon out of the parser", 1),
        ("Take the Quillon adapter, a relic, out of the parser and use Glimmer", 1),
        ("Keep Quillon out of the core", 1),
        ("Turn Quillon off", 1),
        ("Let Quillon go", 1),
        ("Throw away the Quillon files", 1),
        ("Quillon makes way for Glimmer", 1),
        ("Quillon could then go", 1),
        ("Revert the switch to Quillon", 1),
        ("Don't move the lists off Quillon", -1),
        ("Never take Quillon out of the parser", -1),
        ("Lift the ban on Quillon", -1),
        ("Delete the Quillon adapter", 1),
        ("Make sure that no service talks to Quillon", 1),
        ("Prefer Glimmer to Quillon", 1),
        ("We prefer to use Quillon", -1),
        ("Forbid Quillon and allow nothing but Glimmer", 1),
        ("Revert the decision to use Quillon", 1),
        ("In place of Quillon, print lists with Glimmer", 1),
        ("Use Glimmer over Quillon", 1),
        ("Glimmer over Quillon", 1),
        ("We chose Glimmer over Quillon", 1),
        ("Send lists over Quillon", -1),
        ("Quillon is replaced by Glimmer", 1),
        ("Quillon is banned", 1),
        ("Revert to Quillon", -1),
        ("Glimmer vs Quillon", 1),
        ("Lists come faster from Glimmer than Quillon", 1),
        ("We decided against Quillon", 1),
    ],
)
def test_a_sign_is_never_turned(proposal, turned):
    assert read(proposal)["quillon"] != turned


@pytest.mark.parametrize(
    ("proposal", "wish", "reason"),
    [
        ("Send lists through Quillon, because Glimmer is slow", "quillon", "glimmer"),
        ("Since Glimmer is slow, send lists through Quillon", "quillon", "glimmer"),
        ("As Glimmer only gets in the way, send lists through Quillon", "", "glimmer"),
        ("Send lists through Quillon, as the Glimmer client is slow", "quillon", "glimmer"),
        ("Send lists through Quillon so they survive Glimmer", "", "glimmer"),
        ("Send lists through Quillon. Users keep forgetting the Glimmer form.", "quillon", "glimmer"),
        ("Send lists through Quillon. It saves us a Glimmer licence.", "quillon", "glimmer"),
        ("Our customers like Glimmer. Send lists through Quillon.", "quillon", "glimmer"),
        ("Glimmer is slow, so let us send lists through Quillon", "", "glimmer"),
        ("Send lists through Quillon. Glimmer would cost us weeks.", "quillon", "glimmer"),
        ("Compare how long Glimmer takes on both machines", "", "glimmer"),
        ("We should find out which Glimmer lists are slow", "", "glimmer"),
    ],
)
def test_a_reason_or_a_question_wants_nothing(proposal, wish, reason):
    found = read(proposal)
    assert [found[word] for word in wish.split()] == [1] * len(wish.split())
    assert found[reason] == 0


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("We host it on Amazon Web Services", "=aws"),
        ("We build with Go", "=go"),
        ("Let it go", ""),
        ("Store it in postgres", "=postgresql"),
        ("Write it in C++", "=c++"),
    ],
)
def test_technologies_are_known_by_all_their_spellings(text, key):
    assert next((term.key for term in parse_terms(text, NAMES) if term.is_technology), "") == key


def test_words_of_one_kin_have_one_stem():
    assert stem("deploying") == stem("deployed") == stem("deploys")
    assert stem("general") != stem("generate")


def test_a_sentence_without_an_end_is_read_up_to_a_bound():
    assert len(parse_terms("lists " * 5_000, NAMES)) == MOST_WORDS
