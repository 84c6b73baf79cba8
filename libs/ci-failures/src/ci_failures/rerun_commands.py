"""Commands that run what failed again: one for each tool and place, and one for each entry."""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from ci_failures.model import Failure, Parser

LONGEST = 1_500
"""Characters of a command; a longer one would leave no room for what failed."""
MOST = 4_000
"""Characters of all of them."""

RUN_AGAIN = frozenset(("test", "compile", "lint"))
"""Kinds of failures that the tool itself has commands for."""

Rerun = Callable[[Sequence[Failure]], str]


def rerun_by(by_tool: Mapping[str, type[Parser]]) -> Rerun:
    """Give what writes the command for failures of one tool and place; empty where nobody knows one."""

    def rerun(failures: Sequence[Failure]) -> str:
        parser, known = by_tool.get(failures[0].tool), selectable(failures)
        if parser is None or not known:
            return ""
        try:
            return parser.rerun(known)
        except Exception:  # noqa: BLE001 -- a parser may be anybody's
            return ""

    return rerun


def selectable(failures: Sequence[Failure]) -> list[Failure]:
    """Leave out what only a result file tells without a selector: it does not tell all that a command takes.

    Nor does a tool's own command bring back what is around its tests, such as a dependency, unless a task is told.
    """
    return [one for one in failures if one.selector or (one.log_line and (one.kind in RUN_AGAIN or one.place))]


def commands_for(failures: Sequence[Failure], rerun: Rerun) -> list[str]:
    """Give a command for each tool and place, in the order in which they failed; each runs all that failed there."""
    groups: dict[tuple[str, str], list[Failure]] = {}
    for one in failures:
        groups.setdefault((one.tool, one.place), []).append(one)
    every = list(dict.fromkeys(filter(None, (_fitting(group, rerun) for group in groups.values()))))
    fitting = [command for command, total in zip(every, accumulate(map(len, every)), strict=True) if total <= MOST]
    left = len(every) - len(fitting)
    return [*fitting, f"# {left} commands more: each entry has its own"] if left else fitting


def _fitting(group: Sequence[Failure], rerun: Rerun) -> str:
    """Give the command for as many of a group as are selectable and fit, and say so where those are not all."""
    known = selectable(group)
    count, command = len(known), rerun(known) if known else ""
    while len(command) > LONGEST and count > 1:
        count //= 2
        command = rerun(known[:count])
    return command if count == len(group) or not command else f"{command}  # {count} of {len(group)}"
