"""Commands that run what failed again: one for each tool and place, and one for each entry."""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from ci_failures.model import Failure, Parser

LONGEST = 1_500
"""Characters of a command; a longer one would leave no space for the failures."""
MOST = 4_000
"""Characters of all commands."""

RUN_AGAIN = frozenset(("test", "compile", "lint"))
"""Kinds of failures that the tool itself has commands for."""

Rerun = Callable[[Sequence[Failure]], str]


def rerun_by(by_tool: Mapping[str, type[Parser]]) -> Rerun:
    """Return a function that writes the command for failures of one tool and place.

    Its result is empty if the tool has no such command.
    """

    def rerun(failures: Sequence[Failure]) -> str:
        parser, known = by_tool.get(failures[0].tool), selectable(failures)
        if parser is None or not known:
            return ""
        try:
            return parser.rerun(known)
        except Exception:  # noqa: BLE001 -- the code of a third party may raise anything
            return ""

    return rerun


def selectable(failures: Sequence[Failure]) -> list[Failure]:
    """Return failures that a command can select.

    Those of result files need a selector, since a command needs more data.

    A tool's own command does not repeat failures around its tests, such as of dependencies, unless a task is known.
    """
    return [one for one in failures if one.selector or (one.log_line and (one.kind in RUN_AGAIN or one.place))]


def commands_for(failures: Sequence[Failure], rerun: Rerun) -> list[str]:
    """Return one command for each tool and place, in the order of the failures."""
    groups: dict[tuple[str, str], list[Failure]] = {}
    for one in failures:
        groups.setdefault((one.tool, one.place), []).append(one)
    every = list(dict.fromkeys(filter(None, (_fitting(group, rerun) for group in groups.values()))))
    fitting = [command for command, total in zip(every, accumulate(map(len, every)), strict=True) if total <= MOST]
    left = len(every) - len(fitting)
    return [*fitting, f"# {left} commands more: each entry has its own"] if left else fitting


def _fitting(group: Sequence[Failure], rerun: Rerun) -> str:
    """Return the command for as many failures of a group as are selectable and fit.

    A comment says if some are missing.
    """
    known = selectable(group)
    count, command = len(known), rerun(known) if known else ""
    while len(command) > LONGEST and count > 1:
        count //= 2
        command = rerun(known[:count])
    return command if count == len(group) or not command else f"{command}  # {count} of {len(group)}"
