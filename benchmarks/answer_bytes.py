"""The bytes that reach a model: six answers as text and as object, and the list of tools.

Run: python benchmarks/answer_bytes.py. No time is measured, so that the figures are the same on every machine. `before`
is what a host that passes on the object got of the same answers at commit 5e380b9c, and of errors the text.
"""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio

from stithy_testing import connect, make_app

SETTINGS = '[forges.play]\nkind = "sandbox"\n'
PULL = {"pr": "smith/anvil#2"}
CALLS: tuple[tuple[str, Mapping[str, Any], int], ...] = (
    ("find_unresolved_comments", PULL, 3_616),
    ("get_failing_tests", PULL, 698),
    ("check_merge_readiness", PULL, 1_570),
    ("get_pull_request_conversation", PULL, 2_772),
    ("pr_comment_list", {"repository": "smith/anvil", "pull_request_number": 2}, 454),
    ("check_merge_readiness", {"pr": "smith/anvil#99"}, 85),
)
LIST_BEFORE = 30_150
MOST_OF_BEFORE = 0.4


async def measure(folder: Path, answers: str) -> tuple[list[int], int]:
    """Make the calls on a new server.

    Returns:
        The bytes of each answer, and those of the list of tools as compact JSON.
    """
    async with connect(make_app(folder, f'{SETTINGS}[serve]\nanswers = "{answers}"\n')) as client:
        sizes = []
        for name, arguments, _ in CALLS:
            result = await client.call_tool(name, dict(arguments))
            structured = result.structured_content
            sizes.append(count_bytes(structured) if structured else len(result.content[0].text.encode()))
        tools = (await client.list_tools()).tools
    return sizes, count_bytes([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools])


def count_bytes(value: object) -> int:
    """Return the bytes of a value as compact JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def main() -> None:
    """Print the figures, and check their limit."""
    with tempfile.TemporaryDirectory() as folder:
        texts, listed = anyio.run(measure, Path(folder), "text")
    with tempfile.TemporaryDirectory() as folder:
        objects, _ = anyio.run(measure, Path(folder), "both")
    print(f"{'bytes':32}{'text alone':>12}{'object':>9}{'before':>9}")
    for (name, _, before), text, whole in zip(CALLS, texts, objects, strict=True):
        print(f"{name:32}{text:12,}{whole:9,}{before:9,}")
    before = sum(row[2] for row in CALLS)
    print(f"{'together':32}{sum(texts):12,}{sum(objects):9,}{before:9,}   text / before {sum(texts) / before:.2f}")
    print(f"{'tools/list':32}{listed:12,}{'':9}{LIST_BEFORE:9,}")
    assert sum(texts) <= before * MOST_OF_BEFORE, (sum(texts), before)


if __name__ == "__main__":
    main()
