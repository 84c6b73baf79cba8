"""check-adr-alignment on the hand-made set: `alignment/*.toml` say what each record should answer."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

SET = Path(__file__).parent / "alignment"
CLASSES = ("supports", "conflicts", "related", "nothing")


async def check_item(root, item):
    """Return the alignment and relation of each record for an item."""
    for name in item["records"]:
        (root / "docs/adr").mkdir(parents=True, exist_ok=True)
        (root / "docs/adr" / name).write_bytes((SET / "records" / name).read_bytes())
    async with connect(make_app(root, f'[archdocs]\nroot = "{root}"\n')) as client:
        found = await client.call_tool("check-adr-alignment", {"decision_description": item["proposal"]})
    rows = found.structured_content["related_adrs"]
    return {row["evidence"][0]["path"].rpartition("/")[2]: row["alignment"] for row in rows}


def f1(counted, one):
    """Return the F1 score of a class."""
    wanted = sum(many for (was, _), many in counted.items() if was == one)
    said = sum(many for (_, told), many in counted.items() if told == one)
    return 2 * counted[one, one] / (wanted + said)


@pytest.mark.parametrize("half", ["building", "held"])
async def test_each_class_is_recognised_and_unrelated_records_stay_out(tmp_path, half):
    counted, false, unrelated = Counter(), 0, 0
    for number, item in enumerate(tomllib.loads((SET / f"{half}.toml").read_text())["item"]):
        said = await check_item(tmp_path / str(number), item)
        for name in item["records"]:
            wanted = item["expected"].get(name, "nothing").partition("/")[0]
            counted[wanted, said.get(name, "nothing")] += 1
        if not item["expected"]:
            unrelated += 1
            false += bool(said)
    assert sum(f1(counted, one) for one in CLASSES) / len(CLASSES) >= 0.80
    assert false / unrelated <= 0.02


def test_the_set_is_large_enough_and_a_quarter_of_it_unrelated():
    items = [
        item for half in ("building", "held") for item in tomllib.loads((SET / f"{half}.toml").read_text())["item"]
    ]
    assert len(items) >= 120
    assert sum(not item["expected"] for item in items) / len(items) >= 0.25
