"""All prompts: those of the project's folder, read again when they change, and those that are built in."""

import os
import threading
from pathlib import Path

import anyio.to_thread
from attrs import frozen

from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.prompts.built_in import BUILT_IN
from stithy_archdocs.prompts.reading import LARGEST, InvalidPrompt, read
from stithy_archdocs.prompts.records import Template
from stithy_archdocs.records import Problem
from stithy_archdocs.watching import Listeners
from stithy_core.spi import Changed, Scope

MOST = 500
"""Files."""


@frozen
class _Kept:
    stamp: tuple[int, ...]
    template: Template | None
    problem: Problem | None


@frozen
class Edition:
    """The prompts at one moment, by name, and what is wrong with their files."""

    templates: dict[str, Template]
    problems: tuple[Problem, ...]


class PromptBook:
    """The prompts of one server; `scope.shared(PromptBook)` gives it. `now` may be called in any thread."""

    def __init__(self, scope: Scope) -> None:
        library = scope.shared(Library)
        self._scope = scope
        self._root = Path(os.path.realpath(library.root))
        self._folder = self._root / library.settings.prompts
        self._kept: dict[str, _Kept] = {}
        self._lock = threading.Lock()
        self._told = self.now().templates
        scope.shared(Listeners).all.append(self._tell)

    def now(self) -> Edition:
        """Look at the folder, and read what changed; a file that broke keeps its last good version."""
        with self._lock:
            self._kept = {path: self._one(path, stamp) for path, stamp in sorted(self._files().items())}
            templates: dict[str, Template] = {}
            problems = [kept.problem for kept in self._kept.values() if kept.problem]
            for path, kept in self._kept.items():
                if kept.template and kept.template.name in templates:
                    other = templates[kept.template.name].path
                    problems.append(_problem(path, f"{other} has the prompt {kept.template.name} already"))
                elif kept.template:
                    templates[kept.template.name] = kept.template
            return Edition(dict(sorted((BUILT_IN | templates).items())), tuple(problems))

    def _files(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        try:
            with os.scandir(self._folder) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name)[:MOST]:
                    real = Path(os.path.realpath(entry.path))
                    if entry.name.endswith(".json") and entry.is_file() and real.is_relative_to(self._root):
                        state = entry.stat()
                        path = Path(entry.path).relative_to(self._root).as_posix()
                        found[path] = (state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino)
        except (OSError, ValueError):
            return {}
        return found

    def _one(self, path: str, stamp: tuple[int, ...]) -> _Kept:
        before = self._kept.get(path)
        if before and before.stamp == stamp:
            return before
        try:
            with (self._root / path).open("rb") as file:
                return _Kept(stamp, read(file.read(LARGEST + 1), path), None)
        except (OSError, InvalidPrompt) as error:
            last = before.template if before else None
            kept = "; its last good version is kept" if last else ""
            return _Kept(stamp, last, _problem(path, f"the prompt cannot be used: {error}{kept}"))

    async def _tell(self) -> None:
        """Tell clients when a prompt came, went or changed."""
        now = (await anyio.to_thread.run_sync(self.now)).templates
        if now != self._told:
            self._told = now
            await self._scope.changed(Changed("prompts"))


def _problem(path: str, message: str) -> Problem:
    return Problem(rule="invalid-prompt", message=message, path=path, severity="error")
