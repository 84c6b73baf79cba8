"""From mistakes to the one error that names file, line and key of each."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import field, frozen

from stithy_core.config.wording import KeyPath, dotted
from stithy_core.errors import ConfigError


@frozen
class Mistake:
    """One thing that is wrong: where, and the words that follow the key. A line known beforehand wins."""

    path: KeyPath
    text: str
    line: int | None = None


@frozen(kw_only=True)
class Source:
    """Where settings came from; without a path it is the environment.

    Args:
        path: The file.
        name: How messages call it.
        text: What stands in it; kept for the lines of later errors.
    """

    path: Path | None = None
    name: str = ""
    text: str = field(default="", repr=False)

    @property
    def folder(self) -> Path:
        """What relative paths in it are relative to."""
        return self.path.parent if self.path else Path()

    def error(self, mistakes: Iterable[Mistake], suggestion: str = "") -> ConfigError:
        """Make one error of all mistakes, in the order of their lines.

        Args:
            mistakes: At least one.
            suggestion: What to do instead of the usual "correct it".
        """
        lines = self._lines()
        found = [(_line(lines, mistake), mistake) for mistake in mistakes]
        found.sort(key=lambda pair: pair[0] or 0)
        errors = [self._entry(line, mistake) for line, mistake in found]
        first = {name: errors[0][name] for name in ("file", "line", "key")}
        return ConfigError(
            "\n".join(entry["message"] for entry in errors),
            suggestion=suggestion or f"Correct {self.name or 'the variable'} and start again.",
            details={**first, "errors": errors},
        )

    def _entry(self, line: int | None, mistake: Mistake) -> dict[str, Any]:
        key = dotted(mistake.path)
        place = ":".join(str(part) for part in (self.name, line) if part)
        said = f"{key} {mistake.text}".strip()
        message = f"{place}: {said}" if place else said
        return {"file": str(self.path) if self.path else None, "line": line, "key": key or None, "message": message}

    def _lines(self) -> dict[KeyPath, int]:
        # Only an error asks for lines, so that a good file is never scanned.
        from stithy_core.config.positions import lines_of

        return lines_of(self.text)


def _line(lines: dict[KeyPath, int], mistake: Mistake) -> int | None:
    """Return the line of the longest prefix of the key that is in the file."""
    if mistake.line is not None:
        return mistake.line
    prefixes = (mistake.path[:length] for length in range(len(mistake.path), 0, -1))
    return next((lines[prefix] for prefix in prefixes if prefix in lines), None)
