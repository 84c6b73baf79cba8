# ruff: noqa: RUF001 -- people write these dashes
"""What was chosen, and what could have been."""

import pytest

from stithy_archdocs.records import Outcome

CHOSEN, REJECTED, UNSTATED = Outcome.CHOSEN, Outcome.REJECTED, Outcome.UNSTATED
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
        {"Kafka": UNSTATED, "RabbitMQ": CHOSEN},
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


@pytest.mark.parametrize("name", TEXTS)
def test_options_are_read_with_what_became_of_them(record, name):
    text, wanted = TEXTS[name]
    assert {one.text: one.outcome for one in record(text).decision.options} == wanted


def test_an_option_knows_its_line(record):
    found = record(LIST)
    assert [found.text.split("\n")[one.line - 1] for one in found.decision.options] == [
        "* Kafka",
        "* RabbitMQ – simple",
        "* [NATS](#nats)",
    ]
