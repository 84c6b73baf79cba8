"""The commands that an answer of find_unresolved_comments has for one of its entries."""

from collections.abc import Mapping
from typing import Any

METHODS = {"review": "get_reviews", "issue_comment": "get_comments"}


def fill_call(answer: Mapping[str, Any], entry: Mapping[str, Any], action: str, text: str = "") -> tuple[str, Any]:
    """Return name and arguments of the call that replies to an entry, resolves it or views it.

    Args:
        answer: The answer's object.
        entry: One of its entries.
        action: `reply`, `resolve` or `view`.
        text: The text of a reply.
    """
    in_thread = "thread_id" in entry and (action != "reply" or entry.get("takes_replies", True))
    call = answer["action_commands"]["threads" if in_thread else "bodies"][f"{action}_call"]
    values = {"ID": entry["id"], "THREAD": entry.get("thread_id"), "METHOD": METHODS.get(entry["type"])}
    filled = {name: values.get(value, value) for name, value in call["arguments"].items()}
    for name, value in filled.items():
        if isinstance(value, str):
            filled[name] = value.replace("URL", entry["html_url"]).replace("YOUR_RESPONSE_HERE", text)
    return call["name"], filled
