"""What is wrong with prompts: broken files, and references to what is not there."""

from collections.abc import Iterator

from stithy_archdocs.prompts.book import PromptBook
from stithy_archdocs.prompts.expansion import INNER, PLACEHOLDER, matching
from stithy_archdocs.prompts.records import Template
from stithy_archdocs.records import Problem, Shelf
from stithy_core.spi import Scope


def problems_of(scope: Scope, shelf: Shelf) -> list[Problem]:
    """Look at all prompts of the project's files; it reads files, so call it in a thread."""
    edition = scope.shared(PromptBook).now()
    found = [
        problem
        for template in edition.templates.values()
        if template.path
        for problem in _missing(template, shelf, scope)
    ]
    return [*edition.problems, *found]


def _missing(template: Template, shelf: Shelf, scope: Scope) -> Iterator[Problem]:
    for message in template.messages:
        for found in PLACEHOLDER.finditer(message.text):
            if said := _fault(found.groupdict(), template, shelf, scope):
                yield Problem(
                    rule="prompt-reference",
                    message=f"the prompt {template.name} {said}",
                    path=template.path,
                    severity="error",
                )


def _fault(found: dict[str, str | None], template: Template, shelf: Shelf, scope: Scope) -> str:
    known = [argument.name for argument in template.arguments]
    uri, tool, name = (found["uri"] or "").strip(), found["tool"], found["name"]
    if tool:
        return "" if scope.tool(tool) else f"names the tool {tool}, which is not served"
    if not uri:
        return "" if name in known else f"has {{{{{name}}}}}, but no argument of that name"
    inner = INNER.findall(uri)
    if unknown := [one for one in inner if one not in known]:
        return f"has {{{{{unknown[0]}}}}}, but no argument of that name"
    if not inner and not matching(shelf, uri, wild="*" in uri):
        return f"names {uri}, which is not there"
    return ""
