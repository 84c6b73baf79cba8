"""The tool `comment_stack`: one comment with the picture of the stack on each of its pull requests."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from attrs import frozen

from stithy_core.spi import Comment, Context, Forge, InvalidArguments, PullRequest, User, map_concurrently
from stithy_pulls.stacks.stack_list import StackLinks, find_links, list_stack_paths
from stithy_pulls.stacks.stack_path import StackPath
from stithy_pulls.stacks.stack_report import get_state_label, walk_stack
from stithy_pulls.stacks.stack_survey import list_pull_requests
from stithy_pulls.stacks.stack_writes import read_for_write
from stithy_pulls.tools import CommentStack

MARK = re.compile(r"<!-- stithy:stack((?: \d+)+) -->")
"""The first line of the comment: it is found by that, and names the pull requests that it showed."""


@frozen(kw_only=True)
class StackCommentRow:
    """What was done on a pull request.

    Args:
        pr: The pull request.
        action: create, update, or keep if the comment has the picture already.
        comment_id: The comment; omitted if it does not exist yet.
        others: Ids of further comments with a picture, which somebody should delete; omitted without any.
    """

    pr: str
    action: Literal["create", "update", "keep"]
    comment_id: str | None
    others: tuple[str, ...] | None


@frozen(kw_only=True)
class StackComments:
    """The comments of a stack.

    Args:
        dry_run: Whether nothing was written.
        text: The text of the comment, without the mark of its own pull request.
        comments: What was done on each open pull request, or would be.
    """

    dry_run: bool
    text: str
    comments: tuple[StackCommentRow, ...]

    def render(self) -> Iterator[str]:
        """Yield a line for each comment, and the text."""
        if self.dry_run:
            yield "Dry run: nothing was written."
        for row in self.comments:
            yield f"{row.pr}: {row.action}{f' comment {row.comment_id}' if row.comment_id else ''}"
            if row.others:
                yield f"- more than one comment has a picture; delete {', '.join(row.others)}"
        yield self.text


@frozen(kw_only=True)
class StackPicture:
    """The stack as it is to be shown.

    Args:
        paths: The paths from the bottom up.
        merged: Pull requests that earlier comments showed, and that were merged since.
    """

    paths: tuple[StackPath, ...]
    merged: tuple[PullRequest, ...]

    def format_text(self, current: PullRequest | None = None) -> str:
        """Return the text of the comment on a pull request. Titles are left out: people wrote them."""
        rows = list(walk_stack(self.paths, ()))
        numbers = sorted({pull.ref.number for _, pull in rows} | {pull.ref.number for pull in self.merged})
        lines = [f"<!-- stithy:stack {' '.join(map(str, numbers))} -->", f"Stack into `{rows[0][1].base.branch}`:", ""]
        lines += [f"- {pull.ref.short} ({get_state_label(pull)})" for pull in self.merged]
        for depth, pull in rows:
            state = "" if pull.state == "open" else f" ({get_state_label(pull)})"
            here = current is not None and pull.ref == current.ref
            name = f"**{pull.ref.short}** (this pull request)" if here else f"{pull.ref.short}{state}"
            lines.append(f"{'  ' * depth}- {name}")
        return "\n".join(lines)


async def comment_stack(ctx: Context, args: CommentStack) -> StackComments:
    """Write or update the comment on each open pull request of a stack."""
    forge, pull = await read_for_write(ctx, args.pr)
    pulls, _ = await list_pull_requests(forge, pull.ref.repository)
    links = await find_links(ctx, forge, pull.ref.repository, pulls)
    paths = _find_stack(pull, pulls, links)
    members = [one for _, one in walk_stack(paths, ()) if one.state == "open"]
    user = await forge.identity.me()
    found = await map_concurrently(members, lambda one: _find_comments(forge, one, user))
    comments = {one.ref.number: mine for one, mine in zip(members, found, strict=True)}
    picture = StackPicture(paths=paths, merged=_list_merged(comments, pulls, paths))
    rows = [await _write(forge, one, comments[one.ref.number], picture, dry_run=args.dry_run) for one in members]
    return StackComments(dry_run=args.dry_run, text=picture.format_text(), comments=tuple(rows))


def _find_stack(pull: PullRequest, pulls: Sequence[PullRequest], links: StackLinks) -> tuple[StackPath, ...]:
    for paths in list_stack_paths(pulls, links):
        if any(path.find_index(pull) >= 0 for path in paths):
            return tuple(paths)
    raise InvalidArguments(f"{pull.ref} is not part of a stack", suggestion="See list_stacks for those that are.")


async def _find_comments(forge: Forge, pull: PullRequest, user: User) -> tuple[Comment, ...]:
    """Return the user's own comments with a picture, the oldest first: others may have quoted one."""
    comments = await forge.comments.list(pull.ref)
    return tuple(one for one in comments if one.author.login == user.login and MARK.match(one.body))


def _list_merged(
    comments: Mapping[int, Sequence[Comment]], pulls: Iterable[PullRequest], paths: Iterable[StackPath]
) -> tuple[PullRequest, ...]:
    """Return the merged pull requests that earlier comments showed, and that the paths do not have."""
    marks = [MARK.match(one.body) for mine in comments.values() for one in mine]
    shown = {int(number) for mark in marks if mark for number in mark[1].split()}
    present = {pull.ref.number for path in paths for pull in path.levels}
    found = [pull for pull in pulls if pull.merged and pull.ref.number in shown - present]
    return tuple(sorted(found, key=lambda pull: pull.ref.number))


async def _write(
    forge: Forge, pull: PullRequest, mine: Sequence[Comment], picture: StackPicture, *, dry_run: bool
) -> StackCommentRow:
    """Create the comment, or change its text; the oldest one is kept."""
    text = picture.format_text(pull)
    comment = mine[0] if mine else None
    action: Literal["create", "update", "keep"] = "create"
    if comment is not None:
        action = "keep" if comment.body.replace("\r\n", "\n").strip() == text else "update"
    if action != "keep" and not dry_run:
        comments = forge.comments
        comment = await (comments.edit(pull.ref, comment.id, text) if comment else comments.create(pull.ref, text))
    others = tuple(one.id for one in mine[1:])
    return StackCommentRow(
        pr=str(pull.ref), action=action, comment_id=comment.id if comment else None, others=others or None
    )
