"""Every comment, review and inline comment of any response, mapped alone.

The exchanges are tried operation by operation. This module maps their records alone, also those in responses to
requests that the plugin never sends, such as creating a review.
"""

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from gitea_recorded.comparing import compare_fields
from gitea_recorded.exchanges import Exchange, iterate_rows, read_folder, recording_folder
from gitea_recorded.fields import COMMENT, REVIEW, REVIEW_COMMENT
from stithy_gitea.inline import to_review_comment
from stithy_gitea.mapping import to_comment
from stithy_gitea.places import place_of
from stithy_gitea.reviews import to_review


@frozen
class Kind:
    """A kind of record: the fields that identify it, its mapper, and the fields of model and response."""

    known_by: frozenset[str]
    mapped: Callable[[dict[str, Any]], Any]
    fields: dict[str, str]
    but: frozenset[str] = frozenset()

    def rows(self, exchange: Exchange) -> Iterator[dict[str, Any]]:
        return (row for row in iterate_rows(exchange.body, self.known_by) if not self.but & row.keys())


KINDS = {
    "comment": Kind(
        frozenset({"body", "user", "issue_url", "pull_request_url", "assets"}),
        lambda row: to_comment(row, "https://forge.example/comment"),
        COMMENT,
        but=frozenset({"type"}),
    ),
    "review": Kind(
        frozenset({"id", "state", "official", "stale", "comments_count"}),
        lambda row: to_review(row, "https://forge.example/review"),
        REVIEW,
    ),
    "inline comment": Kind(
        frozenset({"id", "body", "diff_hunk", "position", "original_position"}),
        lambda row: to_review_comment(row, {}),
        REVIEW_COMMENT | {"commit": "commit_id"},
    ),
}


def map_recordings(server: str) -> tuple[dict[str, int], list[Any]]:
    """Map all records of a server; return their count by kind, and the lossy ones with the lost fields."""
    count, lost = dict.fromkeys(KINDS, 0), []
    for exchange in read_folder(recording_folder(server)):
        for name, kind in KINDS.items():
            for row in kind.rows(exchange):
                count[name] += 1
                lost += _list_losses(name, kind, row)
    return count, lost


def _list_losses(name: str, kind: Kind, row: dict[str, Any]) -> list[Any]:
    found = compare_fields(kind.mapped(row), row, kind.fields)
    if name == "inline comment" and place_of(row) != (row["path"], *_line(row)):
        found["place"] = place_of(row), row["path"]
    return [(name, row["id"], found)] if found else []


def _line(row: dict[str, Any]) -> tuple[str, int]:
    new, old = row["position"], row["original_position"]
    return ("LEFT", old) if old else ("RIGHT", new)
