"""The word lists in `words.toml`."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def _load_lists() -> dict[str, str]:
    return tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))


def load_word_list(name: str) -> frozenset[str]:
    """Return the words of a list; if it contains commas, its phrases."""
    text = " ".join(_load_lists()[name].split())
    return frozenset(text.split(", ") if ", " in text else text.split())
