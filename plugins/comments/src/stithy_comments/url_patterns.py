"""The patterns of the URLs of listed items, so that a text has each once instead of a URL in every line."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

ID = "ID"
"""Stands for the id of an item in a pattern."""


def find_url_patterns(items: Iterable[tuple[str, int | str, str]]) -> dict[str, str]:
    """Return the pattern of the URLs of each kind: `https://…/pull/7#issuecomment-ID`.

    Args:
        items: The kind, the id and the URL of each item.

    Returns:
        The patterns by kind; without kinds that have URLs which do not end with the id, or which differ otherwise.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for kind, name, url in items:
        found[kind].add(f"{url.removesuffix(str(name))}{ID}" if url.endswith(str(name)) else "")
    return {kind: min(patterns) for kind, patterns in found.items() if len(patterns) == 1 and "" not in patterns}


def format_url_patterns(patterns: Mapping[str, str]) -> Iterator[str]:
    """Iterate over the line that shows the patterns, none without any; a page that several share is shown once."""
    page, parts = "", []
    for kind, pattern in patterns.items():
        here, mark, anchor = pattern.partition("#")
        parts.append((f"{mark}{anchor}" if here == page else pattern) + (f" ({kind})" if len(patterns) > 1 else ""))
        page = here
    if parts:
        yield f"URL: {', '.join(parts)}"
