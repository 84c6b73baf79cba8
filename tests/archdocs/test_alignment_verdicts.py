"""What check-adr-alignment reports of each record: its order, its reason, and the passages to decide by."""

import pytest

pytestmark = pytest.mark.anyio

RECORD = "# 1. {title}\n\n## Status\n\n{status}\n\n## Decision\n\n{decision}\n"


def write_record(title, decision, status="Accepted"):
    """Return the text of a record."""
    return RECORD.format(title=title, decision=decision, status=status)


KAFKA = write_record("Use Kafka for order events", "We will use Kafka for order events.")
OLD_KAFKA = write_record("Use Kafka for order events", "We will use Kafka for order events.", "Deprecated")
RABBIT = write_record("Use RabbitMQ for order events", "We will use RabbitMQ for order events.")
PAGER = write_record("Page on slow consumers", "Slow consumers of order events page the team.")
IONIC = write_record("Use Ionic for components", "We will use Ionic for components.")
PLAIN_HTML = write_record("Get rid of Ionic", "Components are plain HTML.")
TESTED = write_record("Test components", "Components are tested.")


async def test_conflicts_come_first_then_support_then_what_is_only_related(check):
    records = {"1-kafka.md": KAFKA, "2-pager.md": PAGER, "3-rabbit.md": RABBIT}
    found = await check(records, "Replace RabbitMQ by Kafka for order events")
    assert [one["alignment"] for one in found["related_adrs"]] == ["conflicts", "supports", "related"]


async def test_support_is_certain_beside_the_record_that_the_proposal_replaces(check):
    found = await check({"1-kafka.md": KAFKA, "3-rabbit.md": RABBIT}, "Replace RabbitMQ by Kafka for order events")
    rabbit, kafka = found["related_adrs"]
    assert (rabbit["relation"], kafka["relation"]) == ("reverses", "same_decision")
    assert kafka["confidence"] > 0


async def test_support_without_certainty_says_which_kind_of_record_took_it(check):
    found = await check({"1-ionic.md": IONIC, "2-html.md": PLAIN_HTML, "3-test.md": TESTED}, "Use Ionic for components")
    reasons = {one["title"]: one["reason"] for one in found["related_adrs"]}
    assert reasons["Use Ionic for components"].endswith("but another record decides against what the proposal wants")
    assert reasons["Test components"] == "both speak of components"
    assert {one.get("confidence") for one in found["related_adrs"] if one["alignment"] == "related"} == {None}


async def test_the_reason_of_a_record_without_force_has_its_state_and_the_words(check):
    (one,) = (await check({"1-kafka.md": OLD_KAFKA}, "Use Kafka for order events"))["related_adrs"]
    assert one["reason"] == "it is deprecated; both speak of Kafka, events, order"


async def test_a_reason_has_four_words_and_names_first(check):
    record = write_record("Retries of audits, invoices and payments in Kafka", "Kafka retries twice.")
    (one,) = (await check({"1.md": record}, "Log retries of audits, invoices and payments beside Kafka"))[
        "related_adrs"
    ]
    assert one["reason"] == "both speak of Kafka, audits, invoices, payments"


async def test_a_record_without_a_sentence_about_the_proposal_shows_its_title(check):
    (one,) = (await check({"1.md": "# Queues of orders\n\nStatus: Accepted\n"}, "Declare queues of orders"))[
        "related_adrs"
    ]
    assert [(row["rule"], row["quote"]) for row in one["evidence"]] == [("title", "Queues of orders")]


async def test_no_passage_is_shown_twice(check):
    record = write_record("Migrate backups to Restic", "We will not migrate backups to Restic.")
    (one,) = (await check({"1.md": record}, "Migrate backups to Restic"))["related_adrs"]
    assert one["relation"] == "contradicts"
    assert [row["line"] for row in one["evidence"]] == [9]


async def test_the_option_that_shares_most_with_the_proposal_is_shown(check):
    options = "## Considered Options\n\n* Postgres\n* Copy queues of orders nightly\n* Queues of payments\n"
    record = write_record("Queues", "Clients have them.") + f"\n{options}"
    (one,) = (await check({"1.md": record}, "Copy queues of orders nightly, or not at all?"))["related_adrs"]
    assert "Copy queues of orders nightly" in [row["quote"] for row in one["evidence"]]


@pytest.mark.parametrize(
    ("decision", "quote"),
    [
        ("Audits are invoices. Kafka has the system.", "Kafka has the system."),  # a name weighs as much as two words
        ("The system has data and users. Audits are late.", "Audits are late."),  # more than any number of common ones
    ],
)
async def test_the_sentence_with_the_most_telling_words_is_shown(check, decision, quote):
    record = write_record("Audits", decision)
    proposal = "The system has audits, invoices, users and data in Kafka"
    (one,) = (await check({"1.md": record}, proposal))["related_adrs"]
    assert one["evidence"][0]["quote"] == quote


async def test_an_option_that_shares_nothing_with_the_proposal_is_not_shown(check):
    record = write_record("Queues", "Clients have them.") + "\n## Considered Options\n\n* Postgres\n* One table\n"
    (one,) = (await check({"1.md": record}, "Copy queues nightly, or not at all?"))["related_adrs"]
    assert "rejected-option" not in [row["rule"] for row in one["evidence"]]
