"""A stack as a picture: in letters, and in Mermaid."""

from collections.abc import Iterator, Sequence

from stithy_core.spi import PullRequest, excerpt
from stithy_pulls.stacks.links import list_children
from stithy_pulls.stacks.path import StackPath

MOST_ROWS = 40
MOST_DEEP = 20
SHOWN = 60


def get_state_label(pull: PullRequest) -> str:
    """Give its state in a word."""
    return "merged" if pull.merged else pull.state


def draw_tree(path: StackPath, pulls: Sequence[PullRequest], marks: dict[int, str]) -> str:
    """Draw the stack as a tree below the branch it grows from, those that stand beside the way included.

    Args:
        path: From the bottom up.
        pulls: All that are known.
        marks: What to say of some of them, by number.
    """
    rows = [_name(path.levels[0].base.branch)]
    rows += [f"{'   ' * depth}└─ {_row(pull, marks)}" for depth, pull in _tree(path, pulls)]
    left = len(rows) - MOST_ROWS
    return "\n".join([*rows[:MOST_ROWS], f"… and {left} more"] if left > 0 else rows)


def draw_mermaid(path: StackPath, pulls: Sequence[PullRequest]) -> str:
    """Write the stack as a Mermaid graph; names are quoted, and what Mermaid would read in them is escaped."""
    rows = ["graph TD", f'  base["{_escaped(path.levels[0].base.branch)}"]']
    line = ["base"]
    for depth, pull in list(_tree(path, pulls))[: MOST_ROWS - 2]:
        node = f"p{pull.ref.number}"
        rows.append(f'  {line[depth]} --> {node}["#{pull.ref.number} {_escaped(_branch(pull))} ({get_state_label(pull)})"]')
        line[depth + 1 :] = [node]
    return "\n".join(rows)


def _tree(path: StackPath, pulls: Sequence[PullRequest]) -> Iterator[tuple[int, PullRequest]]:
    """Walk over the way and all open ones beside and above it, each with its depth."""
    above = {low.ref: high for low, high in zip(path.levels, path.levels[1:], strict=False)}
    seen = {pull.ref for pull in path.levels}

    def walk(pull: PullRequest, depth: int) -> Iterator[tuple[int, PullRequest]]:
        yield depth, pull
        following = above.get(pull.ref)
        others = [child for child in list_children(pull, pulls) if child.ref not in seen]
        seen.update(child.ref for child in others)
        for child in [*([following] if following else []), *others]:
            if depth < MOST_DEEP:
                yield from walk(child, depth + 1)

    yield from walk(path.levels[0], 0)


def _row(pull: PullRequest, marks: dict[int, str]) -> str:
    mark = marks.get(pull.ref.number, "")
    return f"#{pull.ref.number} {_name(_branch(pull))} ({get_state_label(pull)}){f'  <- {mark}' if mark else ''}"


def _branch(pull: PullRequest) -> str:
    """Give its branch; no branch has a space in its name."""
    return "branch gone" if pull.head.branch.startswith("refs/") else pull.head.branch


def _name(text: str) -> str:
    return excerpt(text, SHOWN)


def _escaped(text: str) -> str:
    """Write each character that is no plain one as Mermaid's entity."""
    return "".join(char if char.isalnum() or char in "-_/. " else f"#{ord(char)};" for char in _name(text))
