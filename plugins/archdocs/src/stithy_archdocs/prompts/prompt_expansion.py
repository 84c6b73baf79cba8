"""Fill in prompts in one pass: text from arguments and documents is never expanded again."""

import fnmatch
import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define, field

from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_names import parse_uri
from stithy_archdocs.prompts.prompt_models import PromptTemplate
from stithy_core.spi import Scope, ToolInfo, is_host_placeholder

_REPEATED = re.compile(r"\s*\((?:optional|e\.g\.[^()]*)\)$")
"""The part of an argument's description that its line repeats or omits."""


def describe_tool(card: ToolInfo) -> str:
    """Return the description of a tool: its name, purpose and parameters, one in each line (ARCH-10)."""
    return "\n".join(_iterate_lines(card))


def _iterate_lines(card: ToolInfo) -> Iterator[str]:
    yield f"Tool: {card.name}"
    first = card.description.strip().partition("\n")[0]
    yield f"Description: {first}"
    yield "Parameters:"
    required = card.input.get("required", ())
    for name, schema in card.input.get("properties", {}).items():
        need = "required" if name in required else "optional"
        told = " ".join(
            part for part in (_REPEATED.sub("", schema.get("description", "")), _describe_limits(schema)) if part
        )
        yield f"  - {name} ({need}): {told}".rstrip(" :")


def _describe_limits(schema: Mapping[str, Any]) -> str:
    plain = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    if plain.get("type") == "string" and "maxLength" in plain and plain["maxLength"] >= _LEAST_SHOWN_LIMIT:
        return f"(max {plain['maxLength']} chars)"
    if "enum" in plain:
        return f"({', '.join(map(str, plain['enum']))})"
    if "minimum" in plain and "maximum" in plain:
        return f"({plain['minimum']} to {plain['maximum']})"
    return ""


_LEAST_SHOWN_LIMIT = 501
"""Smaller limits are those of names, which nobody reaches."""


MOST_DOCUMENTS = 50
MOST_BYTES = 1_000_000
SHOWN = 200
"""Maximum characters of a URI or argument that a message repeats."""
NOUNS = {DocumentKind.GUIDELINE: "guideline", DocumentKind.PATTERN: "pattern", DocumentKind.ADR: "record"}
_VARIABLE = r"\{\{\s*(?:[A-Za-z0-9_-]+)\s*\}\}"
PLACEHOLDER = re.compile(
    rf"\{{\{{\s*resource:(?P<uri>(?:[^{{}}]|{_VARIABLE})+)\}}\}}"
    r"|\{\{\s*tool:(?P<tool>[A-Za-z0-9_-]+)\s*\}\}"
    r"|\{\{\s*(?P<name>[A-Za-z0-9_-]+)\s*\}\}"
)
INNER = re.compile(r"\{\{\s*([A-Za-z0-9_-]+)\s*\}\}")


@define
class ExpansionLimits:
    """The remaining limits of one prompt."""

    documents: int = MOST_DOCUMENTS
    bytes: int = MOST_BYTES


@define
class Expansion:
    """Fills in one prompt.

    Args:
        template: The prompt.
        arguments: Values of its arguments.
        snapshot: The documents.
        scope: Scope of the server; knows the tools.
    """

    template: PromptTemplate
    arguments: Mapping[str, str]
    snapshot: DocumentSnapshot
    scope: Scope
    limits: ExpansionLimits = field(factory=ExpansionLimits)

    def fill(self, text: str) -> str:
        """Fill in one message; a reference to a missing document becomes a note in the text."""
        return PLACEHOLDER.sub(self._expand, text)

    def _expand(self, found: re.Match[str]) -> str:
        if found["uri"]:
            return self._expand_resource(found["uri"].strip())
        if found["tool"]:
            card = self.scope.tool(found["tool"])
            return describe_tool(card) if card else f"(the tool {found['tool']} is not available on this server)"
        return self._get_value(found["name"], found[0])

    def _get_value(self, name: str, written: str) -> str:
        """Return the value of an argument: empty if it was omitted, the placeholder itself if it does not exist."""
        known = {argument.name for argument in self.template.arguments}
        return self.arguments.get(name, "") if name in known else written

    def _expand_resource(self, written: str) -> str:
        names = INNER.findall(written)
        uri = INNER.sub(lambda found: self._get_value(found[1], found[0]), written)
        if names and not all(self.arguments.get(name) for name in names):
            return ""
        if any(is_host_placeholder(self.arguments[name], len(self.template.arguments)) for name in names):
            return f"(Not read yet. When the end of this URI is known, read it: {uri[:SHOWN]})"
        found = match_documents(self.snapshot, uri, wild="*" in written)
        if not found:
            return self._format_absence(uri, names)
        if len(found) > 1 and "*" not in written:
            uris = ", ".join(document.uri for document in found[:10])
            return f"(ambiguous URI {uri[:SHOWN]}; matches {uris}. Read the right one.)"
        return "\n\n".join(self._embed(found, several="*" in written))

    def _format_absence(self, uri: str, names: list[str]) -> str:
        """Return a note that no document has a URI; in the text, since hosts hide the cause of an error."""
        asked = parse_uri(uri)
        kind = NOUNS[asked[0]] if asked else "document"
        unread = f"; {self._format_unread()}" if self.snapshot.unread else ""
        said = f"(no such {kind}: {uri[:SHOWN]}{unread}."
        given = [value for one in self.template.arguments if (value := self.arguments.get(one.name, ""))]
        if names and len(given) > 1 and not any(" " in value for value in given):
            split = " ".join(given)
            said += f" The host may have split one argument at its spaces: {split[:SHOWN]!r}."
        return f"{said})"

    def _format_unread(self) -> str:
        return f"{self.snapshot.unread} documents are still being read; get this prompt again in a few seconds"

    def _embed(self, documents: list[Document], *, several: bool) -> Iterator[str]:
        left = []
        for document in documents:
            size = len(document.text.encode(errors="replace"))
            if self.limits.documents < 1 or size > self.limits.bytes:
                left.append(document.uri)
                continue
            self.limits.documents -= 1
            self.limits.bytes -= size
            yield f"[{document.uri}]\n\n{document.text}" if several else document.text
        if left:
            named = ", ".join(left[:20]) + (f" and {len(left) - 20} more" if len(left) > 20 else "")  # noqa: PLR2004
            yield (
                f"({len(left)} documents are omitted: a prompt holds at most {MOST_DOCUMENTS} documents and"
                f" {MOST_BYTES:,} bytes. Read them by URI: {named})"
            )
        if several and self.snapshot.unread:
            yield f"({self._format_unread()})"


def match_documents(snapshot: DocumentSnapshot, uri: str, *, wild: bool) -> list[Document]:
    """Return the documents that a reference means; only a `*` in the prompt itself matches several."""
    exact = [document for document in snapshot.documents.values() if document.uri == uri]
    asked = parse_uri(uri)
    if exact or asked is None:
        return exact
    kind, name = asked
    if not wild:
        return list(snapshot.find_named(kind, name))
    pattern = re.compile(fnmatch.translate(name.lower()))
    return [document for document in snapshot.list_kind(kind) if any(pattern.match(one) for one in document.names[:2])]
