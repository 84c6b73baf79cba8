"""The page of the view, with or without answers in it."""

import json
from functools import cache
from importlib.resources import files

from stithy_view.pull_request_answers import PullRequestAnswers


@cache
def read_page() -> str:
    """Return the page as it was built."""
    return files("stithy_view").joinpath("pull_request.html").read_text(encoding="utf-8")


def create_app_page() -> str:
    """Return the page for the host of an MCP App, which sends it the answers."""
    return read_page().replace("{{DATA}}", "{}")


def create_report_page(answers: PullRequestAnswers, *, can_reload: bool = False) -> str:
    """Return a page that shows answers.

    Args:
        answers: What it shows.
        can_reload: Whether a server creates the page again when the browser loads it again.
    """
    data = {
        "pr": answers.pr,
        "made": answers.made.isoformat(),
        "can_reload": can_reload,
        "answers": {
            tool: {"is_error": answer.is_error, "structured": answer.structured}
            for tool, answer in answers.answers.items()
        },
    }
    # Within a script element, only `<` can end it or begin a comment (HTML, section 4.12.1.3).
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return read_page().replace("{{DATA}}", text)
