"""From Pond's JSON to the model."""

from datetime import UTC, datetime
from typing import Any

from stithy_core.spi import Comment, ReviewComment, Thread, Unknown, User

HIDDEN = Unknown("Pond hides resolution from this token", "give it the scope 'review'")


def to_user(raw: dict[str, Any]) -> User:
    return User(raw["name"], raw["id"])


def to_comment(raw: dict[str, Any]) -> Comment:
    return Comment(**said(raw))


def to_thread(raw: dict[str, Any]) -> Thread:
    remarks = tuple(ReviewComment(**said(remark)) for remark in raw["remarks"])
    return Thread(raw["id"], raw["path"], raw.get("line"), raw.get("resolved", HIDDEN), remarks)


def said(raw: dict[str, Any]) -> dict[str, Any]:
    made = datetime.fromisoformat(raw["made"]).astimezone(UTC)
    about = {"created_at": made, "updated_at": made, "url": raw["url"]}
    return {"id": raw["id"], "body": raw["body"], "author": to_user(raw["by"])} | about
