"""All prompts: those in the project's folder, read again when they change, and the built-in ones (ARCH-11)."""

import json
import os
import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio.to_thread
from attrs import frozen

from stithy_archdocs.document_models import DocumentProblem
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.documents.text_decoding import NotText, read_regular_file
from stithy_archdocs.prompts.prompt_models import PromptTemplate, TemplateArgument, TemplateMessage
from stithy_archdocs.watch_service import Listeners
from stithy_core.spi import Changed, Scope

LARGEST = 1_000_000
"""Maximum bytes of a file."""
MOST_ITEMS = 50
"""Maximum number of arguments, and of messages."""
_NAME = re.compile(r"[a-z0-9-]{1,100}")
_VARIABLE = re.compile(r"[A-Za-z0-9_-]{1,100}")


class InvalidPrompt(Exception):
    """A file is not a valid prompt; the message says why."""


def parse_prompt(data: bytes, path: str) -> PromptTemplate:
    """Parse a prompt.

    Raises:
        InvalidPrompt: The file is not JSON, or does not have the form of a prompt.
    """
    if len(data) > LARGEST:
        raise InvalidPrompt(f"more than {LARGEST:,} bytes")
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidPrompt(f"not JSON in UTF-8: {str(error)[:200]}") from error
    if not isinstance(raw, dict):
        raise InvalidPrompt("not a JSON object")
    name = _get_text(raw, "name")
    if not _NAME.fullmatch(name):
        raise InvalidPrompt(f"invalid prompt name {name[:50]!r}; expected lower-case letters, digits and -")
    messages = tuple(map(_parse_message, _get_rows(raw, "messages")))
    if not messages:
        raise InvalidPrompt("messages are missing")
    return PromptTemplate(
        name=name,
        title=_get_text(raw, "title", ""),
        description=_get_text(raw, "description", ""),
        arguments=_parse_arguments(raw),
        messages=messages,
        workflow=raw["workflow"] if isinstance(raw.get("workflow"), bool) else None,
        path=path,
    )


def _parse_arguments(raw: Mapping[str, Any]) -> tuple[TemplateArgument, ...]:
    found: dict[str, TemplateArgument] = {}
    for row in _get_rows(raw, "arguments"):
        name = _get_text(row, "name")
        if not _VARIABLE.fullmatch(name) or name in found:
            raise InvalidPrompt(f"invalid or duplicate argument name {name[:50]!r}")
        longest = row.get("maxLength", TemplateArgument(name=name).longest)
        if not isinstance(longest, int) or isinstance(longest, bool) or longest < 0:
            raise InvalidPrompt(f"maxLength of {name} is not a number")
        found[name] = TemplateArgument(
            name=name,
            description=_get_text(row, "description", ""),
            required=row.get("required") is True,
            longest=longest,
        )
    return tuple(found.values())


def _parse_message(row: Mapping[str, Any]) -> TemplateMessage:
    role, content = row.get("role"), row.get("content")
    if role not in ("user", "assistant"):
        raise InvalidPrompt(f"invalid role {str(role)[:50]!r}; expected user or assistant")
    if isinstance(content, str):
        return TemplateMessage(role=role, text=content)
    if not isinstance(content, dict) or content.get("type") != "text":
        raise InvalidPrompt('invalid content; expected {"type": "text", "text": …}')
    return TemplateMessage(role=role, text=_get_text(content, "text"))


def _get_rows(raw: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    rows = raw.get(name) or []
    if not isinstance(rows, list) or len(rows) > MOST_ITEMS or not all(isinstance(row, dict) for row in rows):
        raise InvalidPrompt(f"{name} is not a list of at most {MOST_ITEMS} objects")
    return rows


def _get_text(raw: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = raw.get(name, default)
    if not isinstance(value, str):
        raise InvalidPrompt(f"{name} is not a text" if name in raw else f"{name} is missing")
    return value


_CODE = TemplateArgument(name="code", description="Code to validate", required=True, longest=50_000)
_LANGUAGE = TemplateArgument(name="language", description="Programming language", longest=50)
_PATTERN = TemplateArgument(name="pattern_name", description="Name of pattern to validate against", longest=500)

GUIDED = PromptTemplate(
    name="guided-pattern-validation",
    title="Validate code against a pattern",
    description="Guided workflow for validating code against patterns",
    arguments=(_CODE, _PATTERN, _LANGUAGE),
    messages=(
        TemplateMessage(
            role="user",
            text="I'll help you validate this code against our patterns.\n\n{{tool:validate-against-pattern}}\n\n"
            "You can use the validate-against-pattern tool with your code to check compliance.",
        ),
        TemplateMessage(
            role="user",
            text="Pattern (choose one of architecture://patterns where none is named): {{pattern_name}}\n"
            "Language: {{language}}\nCode:\n\n{{code}}",
        ),
    ),
    workflow=True,
)
REVIEW = PromptTemplate(
    name="review-code-against-patterns",
    title="Review code against our patterns",
    description="Review code against all documented patterns",
    arguments=(_CODE, _LANGUAGE),
    messages=(
        TemplateMessage(
            role="user",
            text="Review the code below against our architectural patterns. For every pattern that applies, state"
            " whether the code follows it, and cite the line and the sentence of the pattern as evidence. If a"
            " pattern has rules, call the tool: its verdict counts, and not_checkable is not an approval.\n\n"
            "{{tool:validate-against-pattern}}\n\nLanguage: {{language}}\nCode:\n\n{{code}}\n\n"
            "Our patterns:\n\n{{resource:architecture://patterns/*}}",
        ),
    ),
    workflow=True,
)
SUGGEST = PromptTemplate(
    name="suggest-patterns",
    title="Suggest patterns for a problem",
    description="Find the documented patterns that fit a problem",
    arguments=(TemplateArgument(name="problem", description="What to build or solve", required=True, longest=5_000),),
    messages=(
        TemplateMessage(
            role="user",
            text="Which of our documented patterns fit this problem? Name at most three, each with its URI, why it"
            " fits, and what speaks against it here. If none fits, state what you searched for; do not invent"
            " patterns.\n\n"
            "Problem: {{problem}}\n\n{{tool:search-architecture}}\n\nOur patterns:\n\n"
            "{{resource:architecture://patterns/*}}",
        ),
    ),
)
CREATE = PromptTemplate(
    name="create-adr",
    title="Create an architecture decision record",
    description="Draft a decision record that fits the existing ones",
    arguments=(
        TemplateArgument(name="title", description="What is decided", required=True, longest=500),
        TemplateArgument(name="context", description="Why the decision is needed now", longest=2_000),
        TemplateArgument(name="adr_id", description="A record that this one supersedes or amends", longest=500),
    ),
    messages=(
        TemplateMessage(
            role="user",
            text="Draft an architecture decision record.\n\nTitle: {{title}}\nContext: {{context}}\n"
            "It supersedes or amends: {{adr_id}}\n\n"
            "First check whether it fits the existing records, and quote what speaks against it. An empty result does"
            " not prove that no record covers the subject: search for it as well.\n\n"
            "{{tool:check-adr-alignment}}\n\n{{tool:search-architecture}}\n\n"
            "Then write it. If you can run commands, `stithy adr new TITLE` makes the file: the next free number, the"
            " form of the newest records, status proposed. Pass the title as one quoted argument. If the record"
            " supersedes others, add `--supersedes RECORD --status proposed`; `stithy adr accept RECORD` links both"
            " sides once people have accepted it. Do not accept it yourself. Without commands, use the form of the"
            " newest records and the next free number.\n"
            "Fill in: Context, Options with the reasons for and against each, Decision in one sentence, Consequences."
            " Mark unknowns as questions, never as facts. At the end run `stithy adr check`, and correct what it"
            " reports about the record.\n\n{{resource:architecture://adr/{{adr_id}}}}",
        ),
    ),
)
BUILT_IN = {template.name: template for template in (GUIDED, REVIEW, SUGGEST, CREATE)}


MOST = 500
"""Maximum number of files."""


@frozen
class _CachedPrompt:
    stamp: tuple[int, ...]
    template: PromptTemplate | None
    problem: DocumentProblem | None


@frozen
class PromptSet:
    """The prompts at one moment, by name, and the problems of their files."""

    templates: dict[str, PromptTemplate]
    problems: tuple[DocumentProblem, ...]


class PromptBook:
    """The prompts of one server, `scope.shared(PromptBook)`. `load` is thread-safe."""

    def __init__(self, scope: Scope) -> None:
        library = scope.shared(Library)
        self._scope = scope
        self._root = Path(os.path.realpath(library.root))
        self._folder = self._root / library.settings.prompts
        self._kept: dict[str, _CachedPrompt] = {}
        self._lock = threading.Lock()
        self._known = self.load().templates
        scope.shared(Listeners).callbacks.append(self._notify)

    def load(self) -> PromptSet:
        """Read changed files, and return all prompts; a file that became invalid keeps its last good version."""
        with self._lock:
            self._kept = {path: self._load_file(path, stamp) for path, stamp in sorted(self._list_files().items())}
            templates: dict[str, PromptTemplate] = {}
            problems = [kept.problem for kept in self._kept.values() if kept.problem]
            for path, kept in self._kept.items():
                if kept.template and kept.template.name in templates:
                    other = templates[kept.template.name].path
                    problems.append(
                        _make_problem(path, f"duplicate prompt {kept.template.name!r}, already defined in {other}")
                    )
                elif kept.template:
                    templates[kept.template.name] = kept.template
            return PromptSet(dict(sorted((BUILT_IN | templates).items())), tuple(problems))

    def _list_files(self) -> dict[str, tuple[int, ...]]:
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

    def _load_file(self, path: str, stamp: tuple[int, ...]) -> _CachedPrompt:
        before = self._kept.get(path)
        if before and before.stamp == stamp:
            return before
        try:
            data = read_regular_file(self._root / path, LARGEST)
            return _CachedPrompt(stamp, parse_prompt(data, path), None)
        except (OSError, NotText, InvalidPrompt) as error:
            last = before.template if before else None
            kept = "; its last good version is used" if last else ""
            return _CachedPrompt(stamp, last, _make_problem(path, f"invalid prompt: {error}{kept}"))

    async def _notify(self) -> None:
        """Notify clients if a prompt was added, deleted or changed."""
        now = (await anyio.to_thread.run_sync(self.load)).templates
        if now != self._known:
            self._known = now
            await self._scope.changed(Changed("prompts"))


def _make_problem(path: str, message: str) -> DocumentProblem:
    return DocumentProblem(rule="invalid-prompt", message=message, path=path, severity="error")
