"""How hosts that hold tools back find them by a model's query: by the words of a tool's entry in `tools/list`."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

K1, B = 1.2, 0.75
HINT = "anthropic/searchHint"
PARTS = re.compile(r"[a-z0-9]+")


def rank_by_bm25(query: str, tools: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of tools, the best first, by BM25 over names, titles, descriptions and arguments, as Codex does.

    Args:
        query: The words of the model.
        tools: The entries of `tools/list`.
    """
    texts = {tool["name"]: _find_words(_join_entry(tool)) for tool in tools}
    mean = sum(map(len, texts.values())) / len(texts)
    holders = Counter(word for words in texts.values() for word in set(words))

    def score(words: Sequence[str]) -> float:
        counts, long = Counter(words), 1 - B + B * len(words) / mean
        return sum(
            math.log(1 + (len(texts) - holders[word] + 0.5) / (holders[word] + 0.5))
            * (counts[word] * (K1 + 1))
            / (counts[word] + K1 * long)
            for word in set(_find_words(query))
        )

    return _order({name: score(words) for name, words in texts.items()})


def rank_by_keywords(query: str, tools: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of tools, the best first, by the words in name, hint and description, as Claude Code does.

    A word counts ten in the name, four in the hint and two in the description.

    Args:
        query: The words of the model.
        tools: The entries of `tools/list`.
    """
    words = set(_find_words(query))

    def score(tool: Mapping[str, Any]) -> float:
        places = ((10, tool["name"]), (4, (tool.get("_meta") or {}).get(HINT, "")), (2, tool["description"]))
        return sum(weight * len(words & set(_find_words(text))) for weight, text in places)

    return _order({tool["name"]: score(tool) for tool in tools})


def _join_entry(tool: Mapping[str, Any]) -> str:
    arguments = tool["inputSchema"]["properties"]
    told = [f"{name} {one.get('description', '')}" for name, one in arguments.items()]
    return " ".join([tool["name"], tool.get("title", ""), tool["description"], *told])


def _find_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without the ending of a plural."""
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in PARTS.findall(text.lower())]


def _order(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda name: (-scores[name], name))
