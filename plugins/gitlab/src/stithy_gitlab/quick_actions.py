"""Quick actions: lines of a text that GitLab carries out, with the token's rights, and removes from the text.

https://docs.gitlab.com/user/project/quick_actions/
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stithy_core.spi import Rejected, current_call

ALLOW_QUICK_ACTIONS = "allow_quick_actions"
"""The argument of tools that allows them (`stithy_gitlab.quick_action_calls`)."""
ACTION = re.compile(r" {0,3}/([A-Za-z_]+)(?=\s|$)")
OPENING = re.compile(r"```[\w.+-]*[ \t]*")
CLOSING = re.compile(r"```[ \t]*")
TICKS = re.compile(r" {0,3}```")
OTHER_BLOCK = re.compile(r" {0,3}(?:<|>>>|~~~|---|\+\+\+|;;;|```)")
"""The beginning of a block in which a fence may be none: HTML, a quote, another fence, front matter.

GitLab carries actions out in top-level paragraphs of the Markdown (`lib/banzai/pipeline/quick_action_pipeline.rb`).
"""


class CarriedOut(Rejected):
    """GitLab took a whole text for quick actions: it carried them out, and stored no comment."""


def find_quick_actions(body: str) -> list[str]:
    """Return the words of lines that may be quick actions, such as `merge`; closed code fences are left out.

    Which words a server knows depends on its version and edition, so that every word counts.
    """
    return [word for _, word in _split_lines(body) if word]


def remove_quick_actions(body: str) -> str:
    """Return a text without its quick actions, as GitLab stores it."""
    return "\n".join(line for line, word in _split_lines(body) if not word).strip()


def _split_lines(body: str) -> Iterator[tuple[str, str]]:
    """Iterate over the lines of a text, each with the word of its quick action; empty without one."""
    lines = body.replace("\r", "").split("\n")  # as GitLab does (`lib/gitlab/quick_actions/extractor.rb`)
    code = _find_code(lines)
    for place, line in enumerate(lines):
        found = None if place in code else ACTION.match(line)
        yield line, found[1] if found else ""


def _find_code(lines: Sequence[str]) -> set[int]:
    """Return the indices of the lines in closed fences, up to the first line that may change what a fence is."""
    code: set[int] = set()
    begins = -1
    for place, line in enumerate(lines):
        if CLOSING.fullmatch(line) and begins >= 0:
            code.update(range(begins, place))
            begins = -1
        elif OPENING.fullmatch(line) and begins < 0:
            begins = place
        elif (TICKS if begins >= 0 else OTHER_BLOCK).match(line):
            break
    return code


def is_allowed() -> bool:
    """Return whether the caller of the tool allows quick actions."""
    call = current_call()
    return call is not None and call.arguments.get(ALLOW_QUICK_ACTIONS) is True


def refuse_quick_actions(body: str, *, edits: bool = False) -> None:
    """Check that a text does nothing but be stored, unless the caller allows quick actions.

    Args:
        body: The text.
        edits: Whether it replaces the text of a comment. GitLab deletes a comment of which only quick actions are left
            (`app/services/notes/update_service.rb`), so that none is ever allowed here.

    Raises:
        Rejected: A line of it begins with a quick action; nothing was sent.
    """
    words = find_quick_actions(body)
    if not words or (is_allowed() and not edits):
        return
    named = ", ".join(f"/{word}" for word in dict.fromkeys(words))
    remedy = "Put such a line into a code block, or write a word before the slash. To have it carried out, "
    raise Rejected(
        f"GitLab would carry out {named} instead of storing the text; nothing was sent",
        suggestion=remedy + ("post it as a new comment." if edits else f"pass {ALLOW_QUICK_ACTIONS}=true."),
        details={"quick_actions": words},
    )


def refuse_missing_note(body: str, raw: Mapping[str, Any]) -> None:
    """Check that the answer to a text has a note; one of status 202 has none.

    Raises:
        CarriedOut: GitLab carried the text out. The details have the words of its quick actions, and GitLab's summary.
    """
    if "id" in raw or not ("commands_changes" in raw or "summary" in raw):
        return
    summary = raw.get("summary")
    lines = [str(line) for line in summary] if isinstance(summary, list) else []
    raise CarriedOut(
        "GitLab took the whole text for quick actions, carried them out, and stored no comment",
        suggestion="Read the issue or merge request to see what changed.",
        details={"quick_actions": find_quick_actions(body), "summary": lines},
    )
