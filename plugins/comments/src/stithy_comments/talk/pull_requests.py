"""The conversation of a pull request: reading it and adding to it (specs/1)."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any

from attrs import frozen

from stithy_comments.offers.talk import CreatePullRequestComment, ListPullRequestComments
from stithy_comments.places import pull_request_of
from stithy_comments.texts import wire_id
from stithy_core.spi import Comment, Context, Meta, Page, excerpt


@frozen(kw_only=True)
class Posted:
    """The new comment, as specs/1 has it; its id is a number wherever the forge's is one."""

    id: int | str
    body: Annotated[str, Meta(cut=True, echo=True)]
    user: str
    created_at: datetime
    updated_at: datetime


@frozen
class Created:
    """What `pr_comment_create` gives."""

    comment: Posted
    url: str

    def render(self) -> Iterator[str]:
        """Give the text of specs/1, to the letter."""
        made = f"{self.comment.created_at:%Y-%m-%dT%H:%M:%SZ}"
        yield f"Pull request comment created successfully. ID: {self.comment.id}, Created: {made}"
        yield f"Comment body: {self.comment.body}"


@frozen(kw_only=True)
class Listed(Posted):
    """One comment of a conversation."""

    body: Annotated[str, Meta(cut=True)]
    url: str


@frozen(kw_only=True)
class Conversation:
    """What `pr_comment_list` gives."""

    pull_request: str
    total: int | None
    comments: Page[Listed]

    def render(self) -> Iterator[str]:
        """Give a line a comment: its id, who, when and how it begins."""
        shown = sum(1 for _ in self.comments)
        count = f"{shown} of {self.total} comments" if shown else "No comments"
        yield f"{count} on {self.pull_request}"
        for comment in self.comments:
            yield f"- [{comment.id}] {comment.user}, {comment.created_at:%Y-%m-%dT%H:%M:%SZ}: {excerpt(comment.body)}"


async def create(ctx: Context, args: CreatePullRequestComment) -> Created:
    """Add a comment to a pull request's conversation."""
    forge, pull = await pull_request_of(ctx, args)
    comment = await forge.comments.create(pull.ref, args.comment)
    return Created(Posted(**_fields(comment)), comment.url)


async def list_comments(ctx: Context, args: ListPullRequestComments) -> Conversation:
    """List a pull request's conversation."""
    forge, pull = await pull_request_of(ctx, args)
    comments = [Listed(**_fields(comment), url=comment.url) for comment in await forge.comments.of(pull.ref)]
    page = Page(comments, key=lambda comment: str(comment.id), limit=args.limit)
    return Conversation(pull_request=str(pull.ref), total=page.total, comments=page)


def _fields(comment: Comment) -> dict[str, Any]:
    return {
        "id": wire_id(comment.id),
        "body": comment.body,
        "user": comment.author.login,
        "created_at": comment.created_at,
        "updated_at": comment.updated_at,
    }
