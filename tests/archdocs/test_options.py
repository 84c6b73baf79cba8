# ruff: noqa: RUF001 -- people write these dashes
"""What was chosen, and what could have been."""

import pytest

from stithy_archdocs.document_models import OptionOutcome

CHOSEN, REJECTED, UNSTATED = OptionOutcome.CHOSEN, OptionOutcome.REJECTED, OptionOutcome.UNSTATED
LIST = "# A\n\n## Considered Options\n\n* Kafka\n* RabbitMQ – simple\n* [NATS](#nats)\n\n## Decision Outcome\n\n"
BOTH = {"Kafka": REJECTED, "RabbitMQ": CHOSEN, "NATS": REJECTED}
TEXTS = {
    "a sentence": (LIST + 'Chosen option: "RabbitMQ", because it is simple.\n', BOTH),
    "a sentence without quotes": (LIST + "Chosen option: RabbitMQ because it is simple.\n", BOTH),
    "a bold sentence": (LIST + "**Chosen option:** RabbitMQ, because it is simple.\n", BOTH),
    "a wrapped sentence": (LIST + 'Chosen option:\n"RabbitMQ", because\nit is simple.\n', BOTH),
    "we": (LIST + "We will use RabbitMQ, since it is simple.\n", BOTH),
    "a place": (LIST + "Chosen option: option 2, because it is simple.\n", BOTH),
    "a place and the name": (LIST + "Chosen option: 2 - RabbitMQ, because it is simple.\n", BOTH),
    "numbers in bold": (
        "# A\n\n## Options\n\n* **Option 1**: Kafka\n* **Option 2**: RabbitMQ (chosen)\n",
        {"Kafka": REJECTED, "RabbitMQ": CHOSEN},
    ),
    "nothing chosen": (LIST + "To be discussed.\n", dict.fromkeys(BOTH, UNSTATED)),
    "headings": (
        (
            "# A\n\n## Pros and Cons of the Options\n\n### Kafka\n\n* Good, fast\n\n### RabbitMQ\n\n## Decision\n\n"
            "Chosen option: RabbitMQ.\n"
        ),
        {"Kafka": REJECTED, "RabbitMQ": CHOSEN},
    ),
    "alternatives": (
        "# A\n\n## Decision\n\nWe will use RabbitMQ.\n\n## Alternatives Considered\n\n1. **Kafka**: large.\n2. NATS\n",
        {"Kafka": REJECTED, "NATS": REJECTED, "RabbitMQ": CHOSEN},
    ),
    "marks": ("# A\n\n## Options\n\n- ✅ RabbitMQ\n- ❌ Kafka\n", {"RabbitMQ": CHOSEN, "Kafka": REJECTED}),
    "words": (
        "# A\n\n## Options\n\n- RabbitMQ (chosen)\n- Kafka (rejected)\n",
        {"RabbitMQ": CHOSEN, "Kafka": REJECTED},
    ),
    "a table": (
        (
            "# A\n\n## Options\n\n| Option | Pros | Result |\n|---|---|---|\n| **Kafka** | fast | Rejected |\n"
            "| **RabbitMQ** | simple | Chosen |\n"
        ),
        {"Kafka": REJECTED, "RabbitMQ": CHOSEN},
    ),
    "a Y-statement": (
        (
            "# A\n\nIn the context of orders, facing load, we decided for RabbitMQ and against Kafka and NATS"
            " to achieve calm, accepting that it is slower.\n"
        ),
        {"RabbitMQ": CHOSEN, "Kafka": REJECTED, "NATS": REJECTED},
    ),
    "a denial": (
        (
            "# A\n\n## Considered Options\n\n* Emphasize\n* Do not emphasize\n\n## Decision Outcome\n\n"
            'Chosen option: "Do not emphasize".\n'
        ),
        {"Emphasize": REJECTED, "Do not emphasize": CHOSEN},
    ),
    "a template": ("# A\n\n## Considered Options\n\n* {title of option 1}\n* …\n", {}),
}

LISTED = "# A\n\n## Considered Alternatives\n\n* Flask (Python)\n* Django (Python)\n* US Web Frames\n\n"
FIRST = f"{LISTED}## Decision Outcome\n\n"
DJANGO = {"Flask (Python)": REJECTED, "Django (Python)": CHOSEN, "US Web Frames": REJECTED}
FRAMES = {"Flask (Python)": REJECTED, "Django (Python)": REJECTED, "US Web Frames": CHOSEN}
OPEN = dict.fromkeys(DJANGO, UNSTATED)
DECIDED = {
    "praised": ("Django offers the most robust features.\n", DJANGO),
    "a name alone": ("Django.\n", DJANGO),
    "an order": ("Use Django.\n", DJANGO),
    "an order after an aside": ("Given the time, use Django.\n", DJANGO),
    "passive": ("**Django** is chosen, hosted on anvils.\n", DJANGO),
    "a future passive": ("A Django site will be built.\n", DJANGO),
    "a preference": ("The team preferred Django.\n", DJANGO),
    "going with": ("We go with Django because Flask is small.\n", DJANGO),
    "a purpose": ("We will use Django to replace Flask.\n", DJANGO),
    "a comparison": ("We will use Django rather than Flask.\n", DJANGO),
    "an acronym": ("We will use USWF.\n", FRAMES),
    "a number": ("Option 2\n", DJANGO),
    "a letter in parentheses": (
        "We picked the small one (Option A).\n",
        FRAMES | {"Flask (Python)": CHOSEN, "US Web Frames": REJECTED},
    ),
    "an ordinal": ("We take the second option.\n", DJANGO),
    "a chosen ordinal": ("We choose the second option.\n", DJANGO),
    "moving": ("We will switch from Flask to Django.\n", DJANGO),
    "a second sentence": ("Flask was rejected. We use Django.\n", DJANGO),
    "two joined": ("We use Django and the US Web Frames.\n", FRAMES | {"Django (Python)": CHOSEN}),
    "two joined by a longer word": ("We use Flask plus Django.\n", DJANGO | {"Flask (Python)": CHOSEN}),
    "two not joined": ("We will use Django or Flask.\n", OPEN),
    "a mixture of numbers": ("We choose option 1 and a part of what makes option 2.\n", OPEN),
    "a denial": ("We will not use Django.\n", OPEN),
    "a drawback": ("Implementing Django is not wanted.\n", OPEN),
    "a condition": ("Use Django if time allows.\n", OPEN),
    "a question": ("Should we use Django?\n", OPEN),
    "an attempt": ("There was an attempt to use Flask.\n\nWe have decided to continue with Django.\n", DJANGO),
    "taken back": ("We preferred Flask, but it is too small, so we are choosing Django.\n", DJANGO),
    "nothing of it": ("We will write more.\n", dict.fromkeys(DJANGO, REJECTED)),
    "to be discussed": ("To be discussed.\n", OPEN),
}


@pytest.mark.parametrize("name", DECIDED)
def test_the_first_sentence_that_names_an_option_chooses(record, name):
    text, wanted = DECIDED[name]
    found = {one.text: one.outcome for one in record(FIRST + text).decision.options}
    assert {one: found[one] for one in wanted} == wanted


@pytest.mark.parametrize("name", TEXTS)
def test_options_are_read_with_what_became_of_them(record, name):
    text, wanted = TEXTS[name]
    assert {one.text: one.outcome for one in record(text).decision.options} == wanted


LATER = "\n\n## Alternatives Considered\n\n* Flux (full suite)\n* Helm alone\n* Keep both\n"
LATER_NONE = {"Flux (full suite)": REJECTED, "Helm alone": REJECTED, "Keep both": REJECTED}
AFTER = {
    "a part without its limit": ("Adopt Helm.", LATER_NONE),
    "none of them": ("Adopt Argo.", LATER_NONE),
    "a part of one": ("Adopt Flux and its Helm charts.", LATER_NONE),
    "one of them": ("**Keep both** - they differ.", LATER_NONE | {"Keep both": CHOSEN}),
    "one with its limit": ("Adopt Helm alone.", LATER_NONE | {"Helm alone": CHOSEN}),
}


@pytest.mark.parametrize("name", AFTER)
def test_alternatives_after_the_decision_are_rejected_but_for_one_named_whole(record, name):
    text, wanted = AFTER[name]
    found = {one.text: one.outcome for one in record(f"# A\n\n## Decision\n\n{text}{LATER}").decision.options}
    assert {one: found[one] for one in wanted} == wanted


def test_alternatives_before_a_decision_for_another_thing_are_rejected(record):
    found = record(f"{LISTED}## Decision\n\nWe will use Rails.\n").decision.options
    assert {one.text: one.outcome for one in found} == dict.fromkeys(DJANGO, REJECTED) | {"Rails": CHOSEN}


SEPARATED = "Command Query Responsibility Segregation"


@pytest.mark.parametrize(("listed", "said"), [(SEPARATED, "CQRS"), ("CQRS", SEPARATED), ("CQRS", SEPARATED.lower())])
def test_an_acronym_that_ends_in_s_names_what_it_stands_for(record, listed, said):
    found = record(f"# A\n\n## Options\n\n* {listed}\n* One model\n\n## Decision\n\nWe will use {said}.\n")
    assert {one.text: one.outcome for one in found.decision.options} == {listed: CHOSEN, "One model": REJECTED}


def test_a_common_word_is_no_acronym_of_the_words_of_a_sentence(record):
    listed = "# A\n\n## Options\n\n* Vue\n* Templates\n\n"
    found = record(f"{listed}## Decision\n\nWe will use Templates that view users edit.\n")
    assert {one.text: one.outcome for one in found.decision.options} == {"Vue": REJECTED, "Templates": CHOSEN}


def test_an_option_alone_is_not_chosen_with_another_one(record):
    listed = "# A\n\n## Options\n\n* Flux alone\n* Argo\n\n"
    found = record(f"{listed}## Decision\n\nWe will use Flux for everything else and Argo.\n").decision.options
    assert {one.text: one.outcome for one in found} == {"Flux alone": REJECTED, "Argo": CHOSEN}


def test_a_longer_matching_option_leaves_the_choice_open(record):
    listed = "# A\n\n## Options\n\n* Specs\n* Records\n* Specs + Records\n\n"
    text = f"{listed}## Decision\n\nWe use records. First come specs.\n"
    assert {one.outcome for one in record(text).decision.options} == {UNSTATED}


def test_a_reason_against_an_option_is_not_an_option(record):
    text = "# A\n\n## Alternatives Considered\n\n1. **Kafka**\n   - Why not chosen: too large for us\n2. **NATS**\n"
    assert [one.text for one in record(text).decision.options] == ["Kafka", "NATS"]


def test_options_in_bold_lines_are_not_their_advantages(record):
    text = "# A\n\n## Options\n\n**Option 1: Kafka**\n- is fast\n\n**Option 2: NATS**\n- is small\n"
    decided = record(f"{text}\n## Decision\n\nWe chose option 2.\n").decision.options
    assert {one.text: one.outcome for one in decided} == {"Kafka": REJECTED, "NATS": CHOSEN}


def test_the_same_option_of_a_second_list_is_chosen_too(record):
    text = LIST + "Chosen option: RabbitMQ.\n\n## Pros and Cons of the Options\n\n### RabbitMQ on anvils\n\n### NATS\n"
    found = {one.text: one.outcome for one in record(text).decision.options}
    assert found == BOTH | {"RabbitMQ on anvils": CHOSEN}


@pytest.mark.parametrize(
    ("cell", "outcome"),
    [
        ("**Selected** - best", CHOSEN),
        ("Rejected, slow", REJECTED),
        ("selected by some of the other teams", UNSTATED),
        ("✅ ✅", UNSTATED),
    ],
)
def test_a_row_of_a_table_tells_by_a_verdict_or_by_one_mark(record, cell, outcome):
    text = f"# A\n\n## Options\n\n| Option | Why |\n|---|---|\n| Kafka | {cell} |\n| NATS | |\n"
    assert record(text).decision.options[0].outcome is outcome


@pytest.mark.parametrize(
    "vague",
    ["the same approach as before", "this one", "one that is fast", "not to use Kafka", "option 1", "following blocks"],
)
def test_text_without_a_name_is_not_an_option(record, vague):
    assert record(f"# A\n\n## Decision\n\nWe will use {vague}.\n").decision.options == ()


def test_an_option_knows_its_line(record):
    found = record(LIST)
    assert [found.text.split("\n")[one.line - 1] for one in found.decision.options] == [
        "* Kafka",
        "* RabbitMQ – simple",
        "* [NATS](#nats)",
    ]
