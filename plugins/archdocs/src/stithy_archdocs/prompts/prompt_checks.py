"""Find problems of prompts: invalid files, and references to what does not exist."""

from collections.abc import Iterator

from stithy_archdocs.document_models import DocumentProblem, DocumentSnapshot
from stithy_archdocs.prompts.prompt_book import PromptBook
from stithy_archdocs.prompts.prompt_expansion import INNER, PLACEHOLDER, match_documents
from stithy_archdocs.prompts.prompt_models import PromptTemplate
from stithy_core.spi import Scope


def find_prompt_problems(scope: Scope, snapshot: DocumentSnapshot) -> list[DocumentProblem]:
    """Return the problems of all prompts; reads files, so call it in a thread."""
    edition = scope.shared(PromptBook).load()
    found = [
        problem
        for template in edition.templates.values()
        if template.path
        for problem in _find_missing(template, snapshot, scope)
    ]
    return [*edition.problems, *found]


def _find_missing(template: PromptTemplate, snapshot: DocumentSnapshot, scope: Scope) -> Iterator[DocumentProblem]:
    for message in template.messages:
        for found in PLACEHOLDER.finditer(message.text):
            if said := _find_fault(found.groupdict(), template, snapshot, scope):
                yield DocumentProblem(
                    rule="prompt-reference",
                    message=f"prompt {template.name}: {said}",
                    path=template.path,
                    severity="error",
                )


def _find_fault(
    found: dict[str, str | None], template: PromptTemplate, snapshot: DocumentSnapshot, scope: Scope
) -> str:
    known = [argument.name for argument in template.arguments]
    uri, tool, name = (found["uri"] or "").strip(), found["tool"], found["name"]
    if tool:
        return "" if scope.tool(tool) else f"unknown tool {tool!r}"
    if not uri:
        return "" if name in known else f"placeholder {{{{{name}}}}} has no argument of that name"
    inner = INNER.findall(uri)
    if unknown := [one for one in inner if one not in known]:
        return f"placeholder {{{{{unknown[0]}}}}} has no argument of that name"
    if not inner and not match_documents(snapshot, uri, wild="*" in uri):
        return f"unknown document {uri}"
    return ""
