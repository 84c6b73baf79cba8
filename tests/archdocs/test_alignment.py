"""check-adr-alignment: each answer has its evidence, and in doubt a record is only related."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stithy_archdocs.alignment.signed_terms import parse_terms
from stithy_archdocs.alignment.technology_names import load_technologies
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

BROKER = (
    "# 1. Message broker\n\n## Status\n\nAccepted\n\n## Considered Options\n\n* RabbitMQ\n* Kafka\n\n"
    '## Decision Outcome\n\nChosen option: "RabbitMQ", because it is simple.\n'
)
KAFKA = "# 2. Use Kafka for order events\n\n## Status\n\n{}\n\n## Decision\n\nWe will use Kafka for order events.\n"
RST = "Compose routes\n==============\n\nStatus\n------\n\nAccepted\n\nDecision\n--------"
MESH = "# 3. Use Istio\n\n## Status\n\nAccepted\n\n## Decision\n\nWe will use Istio as the service mesh.\n"


@pytest.mark.parametrize(
    ("proposal", "alignment", "relation"),
    [
        ("Use Kafka for order events", "supports", "same_decision"),
        ("Stop using Kafka", "conflicts", "reverses"),
        ("Do not introduce Kafka", "conflicts", "reverses"),
        ("Kafka will no longer be used", "conflicts", "reverses"),
        ("Never drop Kafka", "related", "candidate"),
        ("Do not stop using Kafka", "related", "candidate"),
        ("Replace Kafka by RabbitMQ", "conflicts", "reverses"),
        ("Replace RabbitMQ by Kafka for order events", "supports", "same_decision"),
        ("Migrate from Kafka to NATS", "conflicts", "reverses"),
        ("Migrate order events to NATS", "conflicts", "competitor"),
        ("Kafka for the audit log as well", "related", "candidate"),
        ("NATS for the telemetry of delivery vans", "related", "candidate"),
        ("Send order events over NATS instead of Kafka", "conflicts", "reverses"),
        ("Order events stay in Kafka rather than in NATS", "supports", "same_decision"),
        ("Raise the retry limit of the Kafka consumer", "related", "candidate"),
    ],
)
async def test_minimal_pairs(check, proposal, alignment, relation):
    (one,) = (await check({"0002-kafka.md": KAFKA.format("Accepted")}, proposal))["related_adrs"]
    assert (one["alignment"], one["relation"]) == (alignment, relation)


@pytest.mark.parametrize(
    "proposal",
    [
        "Prevent the removal of Kafka from order events",
        "Reject the proposal to drop Kafka for order events",
        "Stop the migration from Kafka to RabbitMQ for order events",
        "Oppose replacing Kafka by RabbitMQ for order events",
        "Undo the removal of Kafka for order events",
        "It would be wrong to drop Kafka for order events",
        "Teams must not bypass Kafka for order events",
        "Should we drop Kafka for order events?",
        "Why use Kafka for order events",
        "Using Kafka for order events was wrong",
        "Kafka is used for order events, which we want to stop",
        "Kafka to be sunset; order events over HTTP",
        "Use Kafka for order events? No, RabbitMQ",
    ],
)
async def test_what_another_word_may_turn_is_a_candidate(check, proposal):
    (one,) = (await check({"0002-kafka.md": KAFKA.format("Accepted")}, proposal))["related_adrs"]
    assert (one["alignment"], one["relation"]) == ("related", "candidate")


PLAIN = "# 1. {title}\n\n## Status\n\nAccepted\n\n## Decision\n\n{decision}\n"


async def test_a_decision_against_what_its_title_names_is_a_conflict(check):
    record = PLAIN.format(title="Migrate backups to Restic", decision="We will not migrate backups to Restic.")
    (one,) = (await check({"0001-a.md": record}, "Migrate backups to Restic"))["related_adrs"]
    assert (one["alignment"], one["relation"]) == ("conflicts", "contradicts")


@pytest.mark.parametrize(
    ("title", "decision", "proposal"),
    [
        ("Use Kafka Streams for totals", "We will use Kafka Streams.", "Use streams for the totals of orders"),
        ("Adopt AWS Cloud Map", "We will use AWS Cloud Map.", "Drop Cloud Front"),
        ("Use Django for the shop", "We will use Django.", "Use Django Ninja for the shop"),
        ("Use Terraform for the network", "We will use Terraform.", "Drop Terraform Cloud"),
        ("Use Angular Material for forms", "We will use Angular Material.", "Stop using Angular for forms"),
        ("Packages in a monorepo with Yarn", "All packages are in one place.", "Switch from Yarn to pnpm"),
        ("Use Flyway with Postgres", "We will use Flyway.", "Move from Postgres to MySQL"),
        ("Use Prisma to talk to Postgres", "All queries go there.", "Use Slonik to talk to Postgres"),
        ("Ship the tool as an npm package", "Users get it from there.", "Install packages of the tool with Yarn"),
        ("Terraform module layout", "Modules have a folder each.", "Stop using Terraform"),
        ("Keep accounts in MongoDB", "Accounts are in MongoDB.", "Import accounts with Agenda on Postgres"),
        ("Use react-testing-library", "We will use that library.", "Start the pages with Vue, not with React"),
        ("Test with React Testing Library", "We use React Testing Library.", "Start the pages with Vue, not React"),
        ("Run the service on AWS", "All services run on AWS.", "Host the site of the service on Netlify"),
        ("PostgreSQL", "To use PostgreSQL.", "Store sessions of the operators in MongoDB"),
        ("Cache dashboard data in Memcached", "All dashboard data is there.", "Use Redis for session data"),
        ("Use Elasticache for Redis", "We will use Elasticache.", "Keep sessions in Redis"),
        ("Postgres on Puppetmaster", "It keeps its own.", "Move relational data of the app from Postgres to MySQL"),
        ("Create SDKs in TypeScript", "We will use TypeScript.", "Use TypeScript for the new page"),
        ("Use React for pages", "We will use React.", "Start the pages with Create React App"),
        ("Use Effect", "We will use Effect.", "Rewrite the service with plain functions, no effect system"),
    ],
    ids=[
        "one word of a name",
        "another name with one word of it",
        "an extension of a framework",
        "a product named like a tool",
        "a framework below a library",
        "a means in a title",
        "a means for what was decided",
        "what a library is used for",
        "a name that modifies a noun",
        "a name that modifies two nouns",
        "a means in a proposal",
        "a package named after a framework",
        "a longer name of common words",
        "a host of static pages beside a cloud",
        "a database for other data",
        "general words in common",
        "a technology that runs on the decided one",
        "the database of another program",
        "a language for another purpose",
        "a name that begins with a common word",
        "a common word that a name has too",
    ],
)
async def test_a_name_that_is_not_what_was_decided_leads_to_no_verdict(check, title, decision, proposal):
    found = await check({"0001-one.md": PLAIN.format(title=title, decision=decision)}, proposal)
    assert {one["alignment"] for one in found["related_adrs"]} <= {"related"}


@pytest.mark.parametrize(
    ("title", "decision", "proposal", "relation"),
    [
        ("Use npm over Yarn", "Packages come from there.", "Move from pnpm to Yarn", "competitor"),
        ("Use Kafka message broker", "All events go there.", "Stop using Kafka", "reverses"),
        ("Metrics with Prometheus", "All metrics go there.", "Stop using Prometheus for metrics", "reverses"),
        ("Log in through Keycloak", "All log in there.", "Log people in with Auth0", "competitor"),
        ("Host it on AWS Lambda", "All functions run there.", "Drop the Lambda deployment", "reverses"),
    ],
)
async def test_a_name_that_was_decided_leads_to_a_verdict(check, title, decision, proposal, relation):
    found = await check({"0001-one.md": PLAIN.format(title=title, decision=decision)}, proposal)
    assert [one["relation"] for one in found["related_adrs"]] == [relation]


@pytest.mark.parametrize(
    ("proposal", "alignment"),
    [
        ("Judge each proposal by a large language model of a vendor.", "conflicts"),
        ("Summarize records by a language model.", "related"),
        ("Never judge by a large language model of a vendor.", "related"),
    ],
)
async def test_an_option_without_a_name_conflicts_if_it_is_proposed_whole(check, proposal, alignment):
    record = (
        "# 1. Judge only what is certain\n\n## Status\n\nAccepted\n\n## Considered Options\n\n* Rules that quote\n"
        "* Judge by a large language model of a vendor\n\n## Decision Outcome\n\nChosen option: Rules that quote\n"
    )
    (one,) = (await check({"0001-judge.md": record}, proposal))["related_adrs"]
    assert one["alignment"] == alignment


async def test_a_verdict_needs_a_subject_beside_the_names(check):
    record = PLAIN.format(title="Write billing in Kotlin", decision="The server for billing is written in Kotlin.")
    found = await check({"0001-kotlin.md": record}, "Write the server for maps in Rust")
    assert [one["alignment"] for one in found["related_adrs"]] == ["related"]


async def test_support_for_a_language_needs_all_words_of_the_proposal(check):
    record = PLAIN.format(title="Use Rust", decision="Use Rust for the parser that runs in browsers.")
    found = await check({"0009-rust.md": record}, "Build tools in Rust")
    assert [one["relation"] for one in found["related_adrs"]] == ["candidate"]


async def test_an_answer_quotes_the_line_it_rests_on(check):
    found = await check({"0001-broker.md": BROKER}, "Use Kafka as message broker")
    place = found["related_adrs"][0]["evidence"][0]
    assert place == {"quote": "Kafka", "line": 10, "rule": "rejected-option"}
    assert [one["adr_uri"] for one in found["conflicts"]] == ["architecture://adr/0001-broker.md"]
    assert "docs/adr/0001-broker.md:10" in found["conflicts"][0]["conflict_description"]


async def test_a_candidate_has_passages_to_decide_by_and_no_confidence(check):
    """What no rule is sure of is left to the caller, with the sentence of the decision and the option it concerns."""
    record = BROKER + "\nQueues are declared by the service that reads them. Clients reconnect after a failure.\n"
    found = await check({"0001-broker.md": record}, "Each client of Kafka declares its queues itself")
    (one,) = found["related_adrs"]
    assert (one["alignment"], one["relation"], one.get("confidence")) == ("related", "candidate", None)
    assert [(row["rule"], row["quote"]) for row in one["evidence"]] == [
        ("decision", "Queues are declared by the service that reads them."),
        ("rejected-option", "Kafka"),
    ]
    assert any("not judged: read their evidence and decide" in text for text in found["suggestions"])


@pytest.mark.parametrize(
    "proposal",
    [
        "Compare Kafka with RabbitMQ as message broker",
        "Use RabbitMQ as message broker, because Kafka is slow",
        "Keep Kafka out of the message broker project",
    ],
)
async def test_what_is_not_plainly_wanted_conflicts_with_nothing(check, proposal):
    assert (await check({"0001-broker.md": BROKER}, proposal))["conflicts"] == []


async def test_a_long_answer_stays_below_three_kilobytes(check):
    sentence = "The order service sends its events to the message broker in batches, and waits for each one. "
    records = {
        f"{number:04}-how-the-order-service-sends-its-events.md": f"# {number}. How the order service sends events\n\n"
        f"## Status\n\nAccepted\n\n## Decision\n\n{sentence * 40}\n"
        for number in range(1, 9)
    }
    found = await check(records, "The order service sends its events to the message broker one by one")
    assert len(found["related_adrs"]) == 5
    assert len(json.dumps(found)) <= 3_000


async def test_records_are_left_out_and_counted_if_names_are_long(check):
    name = "how-the-order-service-sends-its-events-to-the-broker-" * 4
    records = {f"{number:04}-{name}.md": KAFKA.format("Accepted") for number in range(1, 8)}
    found = await check(records, "Stop using Kafka for order events")
    assert len(json.dumps(found)) <= 3_000
    shown = len(found["related_adrs"])
    assert 1 <= shown == len(found["conflicts"]) < 5
    assert shown + found["omitted"] == 7


async def test_long_titles_and_reasons_are_shortened(check):
    title = "Use Kafka for order events " + "and for everything else that the order service has to say " * 20
    records = {f"{number:04}-kafka.md": f"# {title}\n\n## Status\n\nAccepted\n" for number in range(1, 8)}
    found = await check(records, "Stop using Kafka for order events, as the order service has to say everything else")
    assert len(found["related_adrs"]) + found["omitted"] == 7
    assert all(one["title"].endswith("…") for one in found["related_adrs"])
    assert len(json.dumps(found, ensure_ascii=False).encode()) <= 3_000


async def test_of_many_successors_some_are_shown_and_the_others_counted(check):
    numbers = range(3, 43)
    successor = "# {0}. Part {0}\n\n## Status\n\nAccepted\n\nSupersedes [2](0002-kafka.md)\n\n## Decision\n\nX.\n"
    records = {f"{number:04}-part.md": successor.format(number) for number in numbers}
    found = await check({"0002-kafka.md": KAFKA.format("Superseded")} | records, "Use Kafka for order events")
    assert [row["relation"] for row in found["related_adrs"]] == ["superseded", *["successor"] * 4]
    assert found["omitted"] == 36
    assert len(json.dumps(found)) <= 3_000


async def test_the_text_names_record_verdict_and_place(check, project, monkeypatch):
    monkeypatch.chdir(project({"docs/adr/0003-mesh.md": MESH}))
    async with connect(make_app(project({}))) as client:
        found = await client.call_tool("check-adr-alignment", {"decision_description": "Adopt Linkerd as service mesh"})
    text = found.content[0].text
    assert "conflicts (competitor" in text
    assert "architecture://adr/0003-mesh.md" in text
    assert "docs/adr/0003-mesh.md:9 (competitor)" in text


@pytest.mark.parametrize(
    ("status", "relation"),
    [
        ("Rejected", "previously_rejected"),
        ("Deprecated", "deprecated"),
        ("Proposed", "proposed_only"),
        ("Draft", "proposed_only"),
        ("On hold", "on_hold"),
        ("Superseded", "superseded"),
    ],
)
@pytest.mark.parametrize("proposal", ["Use Kafka for order events", "Stop using Kafka for order events"])
async def test_a_record_without_force_is_at_most_related(check, status, relation, proposal):
    found = await check({"0002-kafka.md": KAFKA.format(status)}, proposal)
    (one,) = found["related_adrs"]
    assert (one["alignment"], one["relation"], found["conflicts"]) == ("related", relation, [])


async def test_a_record_in_conflict_comes_before_one_that_shares_more_words(check):
    records = {
        "0002-kafka.md": KAFKA.format("Accepted"),
        "0003-pager.md": PLAIN.format(
            title="Page on slow consumers of the team for audits",
            decision="Slow consumers of the audits page the team by a pager.",
        ),
    }
    proposal = "Stop using Kafka for order events, since slow consumers page the team that audits by a pager"
    found = await check(records, proposal)
    assert [row["alignment"] for row in found["related_adrs"]] == ["conflicts", "related"]


async def test_a_superseded_record_leads_to_what_holds_now(check):
    records = {
        "0002-kafka.md": KAFKA.format("Superseded by [4](0004-log.md)"),
        "0004-log.md": "# 4. One log\n\n## Status\n\nAccepted\n\nSupersedes [2](0002-kafka.md)\n\n## Decision\n\nX.\n",
    }
    found = (await check(records, "Use Kafka for order events"))["related_adrs"]
    assert {one["title"]: one["relation"] for one in found} == {
        "Use Kafka for order events": "superseded",
        "One log": "successor",
    }


@pytest.mark.parametrize(
    "proposal",
    ["Change the coffee machine vendor", "Hire a second cook", "Repaint the office in blue", "?", "and or the"],
)
async def test_an_unrelated_proposal_returns_nothing(check, proposal):
    records = {"0001-broker.md": BROKER, "0002-kafka.md": KAFKA.format("Accepted"), "0003-mesh.md": MESH}
    found = await check(records, proposal)
    assert (found["related_adrs"], found["conflicts"]) == ([], [])


@pytest.mark.parametrize(
    ("title", "proposal", "alignment"),
    [
        ("Each service owns its database", "Share one database between services", "related"),
        ("Architects write production code", "Architects must never write production code", "related"),
        ("Do not commit generated files", "Commit generated files", "related"),
        ("Keep elements and core separate", "Combine elements and core", "related"),
    ],
)
async def test_practices_without_names(check, title, proposal, alignment):
    """The opposite, word for word, is certain; what needs meaning is a candidate with the sentence to decide by."""
    record = f"# {title}\n\n## Status\n\nAccepted\n\n## Decision\n\n{title}.\n"
    (one,) = (await check({"0009-practice.md": record}, proposal))["related_adrs"]
    assert one["alignment"] == alignment
    assert one["evidence"][0]["quote"].startswith(title)


@pytest.mark.parametrize(
    ("title", "proposal"),
    [
        ("Combine the api-mongo cluster into the mongo cluster", "Keep a separate Mongo cluster for the API"),
        ("Use a separate Kafka cluster for audit events", "Use a shared Kafka cluster for audit events"),
        ("Mongo replacement by DocumentDB", "Keep the Mongo cluster"),
    ],
)
async def test_a_name_alone_does_not_support_what_is_wanted_otherwise(check, title, proposal):
    record = f"# {title}\n\n## Status\n\nAccepted\n\n## Decision\n\n{title}, one cluster after the other.\n"
    found = (await check({"0009-store.md": record}, proposal))["related_adrs"]
    assert [one["relation"] for one in found if one["alignment"] == "supports"] == []


async def test_a_name_that_is_wanted_in_one_way_and_not_in_another_is_unclear(check):
    title = "Build features/cis with SELINUX=permissive Instead of SELINUX=enforcing"
    record = PLAIN.format(title=title, decision="The image features/cis will be built in that way.")
    found = await check({"0029-cis.md": record}, "Use enforcing SELinux for features/cis")
    assert [one["alignment"] for one in found["related_adrs"]] == ["related"]


async def test_a_name_that_the_record_does_not_have_is_not_supported(check):
    record = "# Docker base image\n\n## Status\n\nAccepted\n\n## Decision\n\nTo use an image of Debian.\n"
    found = await check({"0004-image.md": record}, "Deploy the app to Cloudville as a Docker image")
    assert [one["alignment"] for one in found["related_adrs"]] == ["related"]


CHAT = (
    "# 4. Chat tool\n\n## Status\n\nAccepted\n\n## Considered Options\n\n* Zulip\n* Mattermost Boards\n\n"
    '## Decision Outcome\n\nChosen option: "Zulip", because the community knows it.\n'
)
FORUM = (
    "# 5. Forum for the community\n\n## Status\n\nAccepted\n\n## Considered Options\n\n* Flarum\n* Mattermost Boards"
    '\n\n## Decision Outcome\n\nChosen option: "Flarum", because search engines index it.\n'
)
OWN_TITLE = "# {0}\n\n## Status\n\nAccepted\n\n## Decision\n\n{0}.\n"


@pytest.mark.parametrize(
    ("title", "proposal"),
    [
        ("Terraform module strategy", "Replace Terraform workspaces by separate directories"),
        ("Redis session encryption", "Store the session in Redis without encryption"),
        ("Do not use Dataloader for the queries of GraphQL resolvers", "Paginate the list with GraphQL"),
        ("We will not run IPSec in our Kubernetes cluster", "Use mutual TLS in Kubernetes"),
        ("Add members to the Slack workspace", "Share documents rather than in a Google Workspace"),
        ("Use Testify for Go testing", "Write the service in Java"),
        ("Modules stay in terraform/modules", "Describe modules in Pulumi instead of Terraform"),
        ("Store submissions as JSON", "Store messages in XML"),
        ("Use Django REST framework for the API", "Write the API in Django"),
        ("Use .NET Core in new services", "Stay on the old .NET Framework in new services"),
    ],
)
async def test_a_name_that_was_not_decided_about_has_no_verdict(check, title, proposal):
    """It is a part of another noun, or the purpose, or a part of a longer name."""
    found = (await check({"0009-record.md": OWN_TITLE.format(title)}, proposal))["related_adrs"]
    assert [one["alignment"] for one in found] == ["related"]


@pytest.mark.parametrize(
    ("title", "proposal"),
    [
        ("Use Terraform for infrastructure", "Replace Terraform by Pulumi for infrastructure"),
        ("Do not use Dataloader for the queries of resolvers", "Use Dataloader for the queries of resolvers"),
        ("Keep documents in Google Workspace", "Share documents in a wiki rather than in Google Workspace"),
    ],
)
async def test_a_name_that_was_decided_about_has_one(check, title, proposal):
    found = (await check({"0009-record.md": OWN_TITLE.format(title)}, proposal))["related_adrs"]
    assert [one["alignment"] for one in found] == ["conflicts"]


async def test_an_option_that_two_records_rejected_conflicts_with_the_one_on_the_same_subject(check):
    records = {"0004-chat.md": CHAT, "0005-forum.md": FORUM}
    found = await check(records, "Use Mattermost Boards as the forum for the community")
    assert {one["path"]: one["relation"] for one in found["related_adrs"]} == {
        "docs/adr/0005-forum.md": "rejected_option",
        "docs/adr/0004-chat.md": "candidate",
    }


async def test_what_only_a_rejected_option_has_is_not_supported(check):
    record = (
        "# 6. The core renders the pages with Mustache\n\n## Status\n\nAccepted\n\n## Considered Options\n\n"
        "* The core renders with Mustache\n* The browser renders\n\n"
        '## Decision Outcome\n\nChosen option: "The core renders with Mustache".\n'
    )
    found = await check({"0006-pages.md": record}, "Let the browser render the pages with Mustache")
    assert [one["alignment"] for one in found["related_adrs"]] == ["related"]


async def test_a_cell_of_a_table_has_no_verdict(check):
    table = "| Parameter | Value |\n|---|---|\n| Topics | kept by using Kafka |\n"
    record = f"# 9. Names of topics\n\n## Status\n\nAccepted\n\n## Decision\n\nTopics are short.\n\n{table}"
    found = await check({"0009-topics.md": record}, "Stop using Kafka for topics")
    assert [one["alignment"] for one in found["related_adrs"]] == ["related"]


async def test_a_team_adds_its_own_competitors(check):
    record = "# Use Falkor\n\n## Status\n\nAccepted\n\n## Decision\n\nWe will use Falkor.\n"
    config = '[archdocs.competitors]\nledger = ["Falkor", "Moya"]\n'
    found = await check({"0001-falkor.md": record}, "Use Moya", config)
    assert [one["relation"] for one in found["related_adrs"]] == ["competitor"]


async def test_an_english_word_is_not_a_name(check):
    record = "# Use REST\n\n## Status\n\nAccepted\n\n## Decision\n\nWe will use REST.\n"
    found = await check({"0001-rest.md": record}, "The rest of the team gets new chairs")
    assert [one["relation"] for one in found["related_adrs"]] == ["candidate"]


async def test_the_answer_stays_small_with_many_records(check):
    records = {f"{number:04}-kafka.md": KAFKA.format("Accepted") for number in range(1, 151)}
    found = await check(records, "Stop using Kafka for order events")
    assert len(found["related_adrs"]) == len(found["conflicts"]) == 5
    assert found["omitted"] > 0
    assert found["compared"] == 150


async def test_the_rival_is_found_among_many_records(check):
    other = "# Topic {0}\n\n## Status\n\nAccepted\n\n## Decision\n\nColour number {0} is chosen for wall {0}.\n"
    records = {f"{number:04}-other.md": other.format(number) for number in range(1, 100)}
    found = await check(records | {"0100-mesh.md": MESH}, "Adopt Linkerd")
    assert [one["title"] for one in found["related_adrs"]] == ["Use Istio"]


async def test_the_same_question_has_the_same_answer(check):
    records = {"0001-broker.md": BROKER, "0002-kafka.md": KAFKA.format("Accepted"), "0003-mesh.md": MESH}
    assert await check(records, "Use Kafka and Istio") == await check(records, "Use Kafka and Istio")


async def test_missing_records_are_reported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with connect(make_app(tmp_path)) as client:
        found = await client.call_tool("check-adr-alignment", {"decision_description": "Use Kafka"})
    assert "[archdocs] in stithy.toml" in found.content[0].text


@pytest.mark.parametrize(
    "arguments",
    [{"decision_description": "x" * 5001}, {"decision_description": "x", "decision_context": "x" * 2001}, {}],
)
async def test_the_limits_of_the_arguments(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    async with connect(make_app(tmp_path)) as client:
        assert (await client.call_tool("check-adr-alignment", arguments)).is_error


@given(text=st.text(max_size=300))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_read(text):
    assert {term.sign for term in parse_terms(text, load_technologies({}))} <= {1, 0, -1}


@pytest.mark.parametrize("part", ["[", "<!--", "a ", "not ", "**", "instead of ", "so ", "take out ", "from ", "go. "])
async def test_a_hostile_record_of_a_megabyte_is_read_in_time(check, part):
    """The tool's own limit of 30 seconds would end the call with an error."""
    record = "# Use Istio\n\n## Status\n\nAccepted\n\n## Decision\n\n" + part * (1_000_000 // len(part))
    assert (await check({"0001-hostile.md": record}, "Adopt Linkerd"))["conflicts"]


@pytest.mark.parametrize("proposal", ["Brew coffee with a new vendor", "'hello'", "The lobby gets blue chairs"])
async def test_an_empty_answer_never_claims_that_no_record_is_about_it(check, proposal):
    """Of 193 proposals that a record spoke to, 50 were told so (FIX-27)."""
    found = await check({"0002-kafka.md": KAFKA.format("Accepted")}, proposal)
    assert found["related_adrs"] == []
    (said,) = found["suggestions"]
    assert "does not prove that no record covers this: call search-architecture" in said
    assert "No record is about" not in said


async def test_the_text_of_an_empty_answer_says_what_was_not_recognized(project, monkeypatch):
    """(FIX-27)."""
    root = project({"docs/adr/0002-kafka.md": KAFKA.format("Accepted")})
    monkeypatch.chdir(root)
    async with connect(make_app(root)) as client:
        found = await client.call_tool("check-adr-alignment", {"decision_description": "Brew coffee"})
    text = found.content[0].text
    assert text.startswith("No word of the proposal leads to one of the 1 decision records searched.\nSuggestion: ")


async def test_a_record_that_another_one_only_extends_still_holds(check):
    """`Supersedes: None (extends ADR-2)` supersedes nothing (FIX-27)."""
    newer = "# 3. Topics\n\n**Status:** Accepted\n**Supersedes:** None (extends ADR-0002)\n\nTopics are small.\n"
    records = {"0002-kafka.md": KAFKA.format("Accepted"), "0003-topics.md": newer}
    one = next(
        row for row in (await check(records, "Stop using Kafka"))["related_adrs"] if row["uri"].endswith("kafka.md")
    )
    assert (one["status"], one["alignment"], one["relation"]) == ("accepted", "conflicts", "reverses")


async def test_an_option_without_a_word_is_no_option_of_a_sentence(check):
    record = BROKER.replace("* Kafka\n", "* Kafka\n* 🚀\n")
    found = await check({"0001-broker.md": record}, "Use RabbitMQ for everything")
    assert found["conflicts"] == []
    assert found["related_adrs"] != []


async def test_dashboards_of_another_kind_are_another_subject(check):
    """A tool that was rejected for the dashboards of operators may filter those of users."""
    options = '* Grafana\n* OpenSearch with its dashboards\n\n## Decision Outcome\n\nChosen option: "Grafana"\n'
    record = f"# 1. Monitoring\n\n## Status\n\nAccepted\n\n## Considered Options\n\n{options}"
    found = await check({"0001-monitoring.md": record}, "Filter the dashboard of members through OpenSearch")
    assert [one["alignment"] for one in found["related_adrs"]] == ["related"]


@pytest.mark.parametrize(
    ("decision", "proposal"),
    [
        ("We chose __Firebase__ for it.", "Replace Firebase by a self-hosted program of another vendor"),
        ("Parsing happens in a pool of worker threads.", "Create worker_threads by hand when somebody uploads a file"),
    ],
)
async def test_a_word_beside_an_underscore_is_found(check, decision, proposal):
    found = await check({"0001-one.md": PLAIN.format(title="Choices", decision=decision)}, proposal)
    assert [one["title"] for one in found["related_adrs"]] == ["Choices"]


@pytest.mark.parametrize(
    ("name", "head", "code"),
    [
        ("1.adoc", "= Compose routes\n\n== Status\n\nAccepted\n\n== Decision", "[source,clojure]\n----\n{}\n----"),
        ("1.rst", RST, ".. code-block:: clojure\n   :caption: Routes\n\n   {}\n\n   (end)"),
        ("1.rst", RST, "Like this::\n\n  {}"),
    ],
    ids=["AsciiDoc", "directive of RST", "literal block of RST"],
)
async def test_code_in_a_record_decides_nothing(check, name, head, code):
    text = code.format(":static []})  ; served here, not via Reitit")
    found = await check({name: f"{head}\n\nModules export routes.\n\n{text}\n"}, "Use Reitit as the router for routes")
    assert [one["alignment"] for one in found["related_adrs"]] == ["related"]


async def test_a_word_for_a_purpose_is_no_name_of_an_option(check):
    record = (
        "# 1. Tenants\n\n## Status\n\nAccepted\n\n## Considered Options\n\n* Shared Database\n* One Schema each\n\n"
        "## Decision Outcome\n\nChosen option: One Schema each\n"
    )
    found = await check({"0001-tenants.md": record}, "Use a database for the list of tenants")
    assert [one["alignment"] for one in found["related_adrs"]] == ["related"]


async def test_a_later_decision_against_a_name_takes_the_certainty_from_support(check):
    records = {
        "0001-ionic.md": PLAIN.format(title="Use Ionic for components", decision="We will use Ionic for components."),
        "0002-html.md": PLAIN.format(title="Get rid of Ionic", decision="Components are plain HTML."),
    }
    found = (await check(records, "Use Ionic for components"))["related_adrs"]
    assert {one["title"]: one["relation"] for one in found} == {
        "Get rid of Ionic": "contradicts",
        "Use Ionic for components": "candidate",
    }


@pytest.mark.parametrize(
    ("name", "title"),
    [("DRAFT-buy-a-rack.md", "Buy a rack"), ("0001-rack.md", "[WIP] Buy a rack"), ("2.md", "Draft: Buy a rack")],
)
async def test_a_record_without_a_status_is_a_draft_if_its_name_says_so(check, name, title):
    record = f"# {title}\n\n## Decision\n\nBuy a rack for the servers.\n"
    (one,) = (await check({name: record}, "Buy a rack for the servers"))["related_adrs"]
    assert one["relation"] == "proposed_only"


async def test_a_record_for_a_rival_is_shown_behind_records_with_more_of_the_words(check):
    part = PLAIN.format(
        title="Mount the media server {0}", decision="The media server is in rack {0} of the media hall."
    )
    records = {f"000{number}-rack.md": part.format(number) for number in range(1, 8)}
    records["0008-nixos.md"] = PLAIN.format(title="Use NixOS", decision="All machines run NixOS.")
    found = await check(records, "Put Debian on the media server in the rack")
    assert "Use NixOS" in [one["title"] for one in found["related_adrs"]]
