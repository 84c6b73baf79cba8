"""Every comment, review and inline comment that stands anywhere in an answer, mapped by itself.

The exchanges are tried operation by operation; this asks of the records alone, also of those in answers to requests
that are none of the plugin's, such as making a review.
"""

from collections.abc import Callable

from attrs import frozen

from gitea_recorded.comparing import differences
from gitea_recorded.exchanges import exchanges_in, folder_of, rows_in
from gitea_recorded.fields import COMMENT, REVIEW, REVIEW_COMMENT
from stithy_gitea.inline import to_review_comment
from stithy_gitea.mapping import to_comment
from stithy_gitea.places import place_of
from stithy_gitea.reviews import to_review


@frozen
class Kind:
    """A sort of record: the fields by which it is known, what maps it, and which field of the model is which."""

    known_by: frozenset
    mapped: Callable
    fields: dict
    but: frozenset = frozenset()

    def rows(self, exchange):
        return (row for row in rows_in(exchange.body, self.known_by) if not self.but & row.keys())


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


def told_of(server):
    """Give, by kind, how many records there are, and of each that lost something what it lost."""
    count, lost = dict.fromkeys(KINDS, 0), []
    for exchange in exchanges_in(folder_of(server)):
        for name, kind in KINDS.items():
            for row in kind.rows(exchange):
                count[name] += 1
                lost += _lost(name, kind, row)
    return count, lost


def _lost(name, kind, row):
    found = differences(kind.mapped(row), row, kind.fields)
    if name == "inline comment" and place_of(row) != (row["path"], *_line(row)):
        found["place"] = place_of(row), row["path"]
    return [(name, row["id"], found)] if found else []


def _line(row):
    new, old = row["position"], row["original_position"]
    return ("LEFT", old) if old else ("RIGHT", new)
