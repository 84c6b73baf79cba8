"""check-adr-alignment: a proposal that only asks, measures or teaches is neither for nor against a record."""

import pytest

from stithy_archdocs.alignment.deliberation import is_deliberation, is_maintenance
from stithy_archdocs.alignment.lexicon import load_lexicon
from stithy_archdocs.alignment.statement_parser import parse_proposal

LEXICON = load_lexicon({})


def statements(proposal):
    """Parse a proposal to statements."""
    return parse_proposal(proposal, LEXICON).statements


@pytest.mark.parametrize("lead", ["", "We want to ", "We should ", "Let us ", "Please ", "I propose that we "])
@pytest.mark.parametrize(
    "proposal",
    [
        "compare how long Kafka takes on both machines",
        "work out what the Kafka brokers cost",
        "ask the testers how many Kafka errors they see",
        "ask the security people about Kafka",
        "agree on the wording of the Kafka error",
        "decide how long Kafka keeps the orders",
        "find out which Kafka topics are slow",
        "check how much Kafka stores",
        "hold a training session on Kafka",
        "draw a diagram of the Kafka topics",
        "report each month how many Kafka messages are lost",
        "estimate the bill for Kafka",
        "review which Kafka settings nobody uses",
        "show the number of Kafka errors on the wall screen",
        "choose a colour for the Kafka page",
        "measure how far the Kafka consumers lag, because customers ask",
    ],
)
def test_a_question_does_not_decide(lead, proposal):
    assert is_deliberation(statements(lead + proposal))


@pytest.mark.parametrize(
    "proposal",
    [
        "Ask the OpenAI API for embeddings",
        "Choose Kafka for the orders",
        "Count page views with Plausible",
        "Poll the pin from the main loop",
        "Monitor the folders with Commons IO",
        "Hold the session in Redis",
        "Draw the diagrams in PlantUML",
        "Go through SQLAlchemy for each connection",
        "Compare the prices in Kafka. Then drop RabbitMQ.",
        "?",
    ],
)
def test_using_a_means_decides(proposal):
    assert not is_deliberation(statements(proposal))


@pytest.mark.parametrize(
    ("proposal", "expected"),
    [
        ("Raise the retry limit of the Kafka consumer", True),
        ("Document the events with AsyncAPI", False),
        ("Use Kafka", False),
    ],
)
def test_maintaining_something_is_not_a_choice(proposal, expected):
    assert is_maintenance(statements(proposal)) is expected
