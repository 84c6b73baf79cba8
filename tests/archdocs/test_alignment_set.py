"""check-adr-alignment on the hand-made set: `alignment/*.toml` say what each record should answer."""

import tomllib
from pathlib import Path

import pytest
from plugin_entries import find_entries

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

SET = Path(__file__).parent / "alignment"
LEAST_CERTAIN = 0.5
"""Share of the conflicts that must have a verdict: without it, a tool that only lists candidates would pass."""


def read_items(half):
    """Return the items of a half."""
    return tomllib.loads((SET / f"{half}.toml").read_text())["item"]


async def check_item(root, item):
    """Return the alignment of each record for an item."""
    for name in item["records"]:
        (root / "docs/adr").mkdir(parents=True, exist_ok=True)
        (root / "docs/adr" / name).write_bytes((SET / "records" / name).read_bytes())
    app = make_app(root, f'[archdocs]\nroot = "{root}"\n', entries=find_entries("stithy-archdocs"))
    async with connect(app) as client:
        found = await client.call_tool("check-adr-alignment", {"decision_description": item["proposal"]})
    rows = found.structured_content["related_adrs"]
    return {row["path"].rpartition("/")[2]: row["alignment"] for row in rows}


@pytest.mark.parametrize("half", ["building", "held"])
async def test_records_that_matter_are_shown_and_verdicts_are_right(tmp_path, half):
    shown, verdicts, conflicts, false, unrelated = [], [], [], 0, 0
    for number, item in enumerate(read_items(half)):
        said = await check_item(tmp_path / str(number), item)
        wanted = {name: value.partition("/")[0] for name, value in item["expected"].items()}
        shown += [name in said for name in wanted]
        verdicts += [wanted.get(name) == one for name, one in said.items() if one == "conflicts"]
        conflicts += [said.get(name) == one for name, one in wanted.items() if one == "conflicts"]
        unrelated += not wanted
        false += not wanted and not {"supports", "conflicts"}.isdisjoint(said.values())
    assert sum(shown) / len(shown) >= 0.9
    assert sum(verdicts) / len(verdicts) >= 0.95
    assert sum(conflicts) / len(conflicts) >= LEAST_CERTAIN
    assert false / unrelated <= 0.02


def test_the_set_is_large_enough_and_a_quarter_of_it_unrelated():
    items = [item for half in ("building", "held") for item in read_items(half)]
    assert len(items) >= 120
    assert sum(not item["expected"] for item in items) / len(items) >= 0.25
