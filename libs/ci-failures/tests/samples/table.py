"""Write the table of kept logs in the README: the tools, versions and forms, and where the truth is from.

Usage: table.py. It has to be run after a change of `tests/logs` or `tests/results`.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path

TESTS = Path(__file__).parents[1]
README = TESTS.parent / "README.md"
BEGIN, END = "<!-- kept logs: tests/samples/table.py -->\n", "<!-- end of kept logs -->\n"
HEAD = (
    "| Folder | Logs, files | Tools that failed in them | Versions | Forms | The truth is from |\n"
    "|---|---|---|---|---|---|\n"
)
NUMBERED = re.compile(r"(\d+(?:\.\d+)*)-(?=[a-z])")
VERSION = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?![\w.]*\w)")
MOST_FORMS, MOST_TRUTHS = 10, 3


def format_table() -> str:
    """Return the table, a row for each folder of logs or result files."""
    folders = sorted({path.name for kind in ("logs", "results") for path in (TESTS / kind).iterdir()}, key=str.lower)
    return BEGIN + HEAD + "".join(map(_format_row, folders)) + END


def replace_table(text: str) -> str:
    """Return the README with the table of today."""
    before, _, rest = text.partition(BEGIN)
    return before + format_table() + rest.partition(END)[2]


def _format_row(folder: str) -> str:
    logs = sorted((TESTS / "logs" / folder).rglob("*.log"))
    files = [path for path in (TESTS / "results" / folder).rglob("*.*") if not path.name.endswith(".truth.json")]
    truths = [json.loads(path.with_suffix(".json").read_text(encoding="utf-8")) for path in logs]
    names = [path.relative_to(TESTS / "logs" / folder).with_suffix("").as_posix() for path in logs]
    cells = (
        folder,
        f"{len(logs)}, {len(files)}",
        ", ".join(_each_once(row["tool"] for truth in truths for row in truth["failures"])),
        ", ".join(_list_versions(names, truths)),
        _shorten(_each_once(NUMBERED.sub("", name) for name in names), MOST_FORMS),
        _shorten(_each_once(_without_versions(truth["from"]) for truth in truths), MOST_TRUTHS, "; "),
    )
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |\n"


def _list_versions(names: Iterable[str], truths: Iterable[dict[str, str]]) -> list[str]:
    """Return the versions that names of logs begin with, and those that the texts about the truth have."""
    numbers = {found[1] for name in names if (found := NUMBERED.match(name))}
    numbers |= {number for truth in truths for number in VERSION.findall(truth["from"])} - {"0"}
    exact = {number for number in numbers if not any(other.startswith(f"{number}.") for other in numbers)}
    return sorted(exact, key=lambda number: [int(part) for part in number.split(".")])


def _without_versions(text: str) -> str:
    return " ".join(VERSION.sub("", text).split()).replace(" 's", "'s").replace(" :", ":").replace(" ,", ",")


def _each_once(words: Iterable[str]) -> list[str]:
    return sorted(dict.fromkeys(words))


def _shorten(words: list[str], most: int, between: str = ", ") -> str:
    """Return the first words, and how many more there are."""
    more = [f"and {len(words) - most} more"] if len(words) > most else []
    return between.join([*words[:most], *more])


if __name__ == "__main__":
    README.write_text(replace_table(README.read_text(encoding="utf-8")), encoding="utf-8")
