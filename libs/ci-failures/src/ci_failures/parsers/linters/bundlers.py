"""Bundlers of JavaScript that cannot resolve a module (webpack, Vite with Rollup, esbuild), and Next.js's pages.

Module not found: Error: Can't resolve './cart' in '/repo/src'
[vite]: Rollup failed to resolve import "./cart" from "/repo/src/main.ts".
✘ [ERROR] Could not resolve "./cart"
Error occurred prerendering page "/cart". Read more: https://nextjs.org/docs/messages/prerender-error
"""

from collections.abc import Mapping
from typing import ClassVar

from ci_failures.parsers.single_line_parser import Sign, SignParser, literals


class Bundlers(SignParser):
    """Parser of modules that were not found, and of pages that could not be built."""

    tool: ClassVar[str] = "webpack"
    signs = (
        Sign(
            wakes="Module not found: ",
            kind="compile",
            tool="webpack",
            rule="cannot resolve",
            form=r"^(?:\s{0,4}|.{0,40}\[error\] ?)Module not found: (?:Error: )?Can't resolve (?P<what>'[^']{1,300}')",
        ),
        Sign(
            wakes="Rollup failed to resolve import ",
            kind="compile",
            tool="vite",
            rule="cannot resolve",
            form=r"^.{0,40}Rollup failed to resolve import (?P<what>\"[^\"]{1,300}\")",
        ),
        Sign(
            wakes="[ERROR] Could not resolve ",
            kind="compile",
            tool="esbuild",
            rule="cannot resolve",
            form=r"^.{0,3}\[ERROR\] Could not resolve (?P<what>\"[^\"]{1,300}\")",
        ),
        Sign(
            wakes="Error occurred prerendering page ",
            kind="compile",
            tool="next",
            rule="cannot prerender",
            form=r"^.{0,12}Error occurred prerendering page (?P<what>\"[^\"]{1,300}\")",
            more=3,
        ),
        Sign(
            wakes="Failed to collect page data for ",
            kind="compile",
            tool="next",
            rule="cannot collect the data of page",
            form=r"^\[?Error: Failed to collect page data for (?P<what>/[^\s\]]{0,300})",
        ),
    )
    wakes: ClassVar[tuple[str, ...]] = literals(signs)

    def covers(self) -> Mapping[str, tuple[int, int]]:
        """Return the line above each: a build of Next.js has the file there, and its parser reads both."""
        return {name: (one.log_line - 1, one.log_line - 1) for name, one in self._found.items()}
