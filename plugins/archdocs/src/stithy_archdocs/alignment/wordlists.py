"""The word lists in `words.toml`."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def _lists() -> dict[str, str]:
    return tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))


def listed(name: str) -> frozenset[str]:
    """Return the words of a list; if it contains commas, its phrases."""
    text = " ".join(_lists()[name].split())
    return frozenset(text.split(", ") if ", " in text else text.split())
