"""check-adr-alignment: which words of a proposal are wanted, which are not, and which only give a reason."""

import pytest

from stithy_archdocs.alignment.lexicon import load_lexicon
from stithy_archdocs.alignment.statement_parser import parse_proposal

LEXICON = load_lexicon({})


def read(proposal):
    """Return the words of all wishes with their signs; 0 for both wanted and unwanted."""
    found = {}
    for statement in parse_proposal(proposal, LEXICON).statements:
        for token, sign in zip(statement.tokens, statement.signs, strict=True):
            for word in token.word.split():
                found[word] = sign if found.get(word, sign) == sign else 0
    return found


@pytest.mark.parametrize(
    ("proposal", "wanted", "unwanted"),
    [
        ("Rip Quillon out of the parser", "", "quillon"),
        ("Take the Quillon adapter, a relic, out of the parser and use Glimmer", "glimmer", "quillon"),
        ("Keep Quillon out of the core", "", "quillon"),
        ("Turn Quillon off", "", "quillon"),
        ("Let Quillon go", "", "quillon"),
        ("Give up Quillon for Glimmer", "glimmer", "quillon"),
        ("Throw away the Quillon files and go back to Glimmer", "glimmer", "quillon"),
        ("Do without Quillon", "", "quillon"),
        ("Quillon makes way for Glimmer", "glimmer", "quillon"),
        ("Quillon could then go", "", "quillon"),
        ("Go back to Quillon", "quillon", ""),
        ("Never go back to Quillon", "", "quillon"),
        ("Revert to Quillon", "quillon", ""),
        ("Revert the switch to Quillon", "", "quillon"),
        ("Move the lists away from Quillon", "lists", "quillon"),
        ("Never move the lists away from Quillon", "lists quillon", ""),
        ("Don't move the lists off Quillon", "lists quillon", ""),
        ("Move all lists out of Quillon and into Glimmer", "lists glimmer", "quillon"),
        ("Copy the styles out of Quillon with a script", "styles quillon script", ""),
        ("Never take Quillon out of the parser", "quillon", ""),
        ("Do not switch back to Quillon", "", "quillon"),
        ("Leave the importer without Quillon", "importer", "quillon"),
        ("Don't let anybody write other than through Quillon", "quillon", ""),
        ("Keep the list in a column rather than in Quillon", "column", "quillon"),
        ("Run it on the typed tree, never on the raw text", "typed", "raw"),
        ("Keep the role wide and do not bind Quillon", "wide", "quillon"),
        ("Retire Quillon and point its users to Glimmer", "glimmer", "quillon"),
        ("Lift the ban on Quillon", "quillon", ""),
        ("Forbid Quillon and allow nothing but Glimmer", "glimmer", "quillon"),
        ("Delete the Quillon adapter", "", "quillon"),
        ("Delete rows after a year", "rows", ""),
        ("Under no circumstances should we give up Quillon", "quillon", ""),
        ("Make sure that no service talks to Quillon", "", "quillon"),
        ("Use anything but Quillon", "", "quillon"),
        ("Prefer Glimmer to Quillon", "glimmer", "quillon"),
        ("We prefer to use Quillon", "quillon", ""),
        ("Revert the decision to use Quillon", "", "quillon"),
        ("Refrain from using Quillon", "", "quillon"),
        ("In place of Quillon, print lists with Glimmer", "glimmer", "quillon"),
        ("Drop Quillon and search in Glimmer", "glimmer", "quillon"),
    ],
)
def test_wanted_and_unwanted_words_are_found(proposal, wanted, unwanted):
    found = read(proposal)
    assert {word: found[word] for word in wanted.split()} == dict.fromkeys(wanted.split(), 1)
    assert {word: found[word] for word in unwanted.split()} == dict.fromkeys(unwanted.split(), -1)


@pytest.mark.parametrize(
    ("proposal", "wish", "reason"),
    [
        ("Send lists through Quillon, because Glimmer is slow", "quillon", "glimmer"),
        ("Since Glimmer is slow, send lists through Quillon", "quillon", "glimmer"),
        ("As Glimmer only gets in the way, send lists through Quillon", "quillon", "glimmer"),
        ("Send lists through Quillon, as the Glimmer client only gets in the way", "quillon", "glimmer"),
        ("Send lists through Quillon so they survive a restart", "quillon", "restart"),
        ("Send lists through Quillon. Users keep forgetting the Glimmer form.", "quillon", "glimmer"),
        ("Send lists through Quillon. It saves us a licence.", "quillon", "licence"),
        ("Send lists through Quillon. That way nobody has to log in.", "quillon", "log"),
        ("Send lists through Quillon, and the page becomes faster.", "quillon", "faster"),
        ("Our customers like Glimmer. Send lists through Quillon.", "quillon", "glimmer"),
        ("Glimmer is slow, so let us send lists through Quillon", "quillon", "glimmer"),
        ("Send lists through Quillon. Glimmer would cost us weeks.", "quillon", "glimmer"),
        ("Leave Quillon as it is and keep the lists", "quillon lists", ""),
        ("Send lists through Quillon. The old form can then be removed.", "quillon form", ""),
        ("The lists of the shop will stay in Quillon. A move would take weeks.", "quillon", "weeks"),
        ("Write it with .NET because our .NET people know Quillon", "net", "quillon"),
        ("Replace the parser, which nobody likes, with Quillon", "quillon", "likes"),
        ("Why not send lists through Quillon?", "quillon", ""),
        ("Which form does Glimmer have? Send lists through Quillon.", "quillon", "glimmer"),
    ],
)
def test_a_reason_is_not_a_wish_but_names_the_subject(proposal, wish, reason):
    found = read(proposal)
    assert set(wish.split()) <= found.keys()
    assert found.keys().isdisjoint(reason.split())
    words = {word for token in parse_proposal(proposal, LEXICON).words for word in token.word.split()}
    assert set(reason.split()) <= words


def test_a_proposal_that_only_tells_how_things_are_is_still_read():
    assert read("Each service owns its lists") != {}
