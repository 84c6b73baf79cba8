"""Write the reference of the plugin interface, the testing kit and parsers from the code: docs/reference.

`python tests/repository/reference.py` writes the pages; test_reference.py compares them with the code.
"""

import logging
import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import griffe

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference"
SOURCES = [
    ROOT / "libs" / "interface" / "src",
    ROOT / "plugins" / "testing" / "src",
    ROOT / "libs" / "ci-failures" / "src",
]
HOOK = "stithy_"
BESIDE = {"cassette_recorder": ("record_cassette", "UNRECORDED"), "pytest_plugin": ("install_plugin",)}
"""Names of the kit that its `__all__` lacks, by module: the first needs vcrpy, the second is a fixture."""
INTRODUCTIONS = {
    "interface": "Everything that plugins import from `stithy_core.spi`, apart from the [records](records.md).",
    "hooks": "The hooks that plugins implement, each with an example that is loaded in tests.",
    "records": "The frozen records that forges return and tools read. They are imported from `stithy_core.spi`, too.",
    "testing": "Everything that tests of plugins import from `stithy_testing` and `stithy_testing.conformance`, and the"
    " fixture.",
    "parsers": "Everything that parsers of CI logs import from `ci_failures`.",
}
TITLES = {
    "interface": "Plugin interface",
    "hooks": "Hooks",
    "records": "Records",
    "testing": "Testing kit",
    "parsers": "Parsers of CI logs",
}


def load_package(name: str) -> griffe.Module:
    """Return a package as griffe parses it, without importing it."""
    logging.getLogger("griffe").setLevel(logging.ERROR)  # it warns of fields that `Args:` documents
    package = griffe.load(name, search_paths=SOURCES, docstring_parser="google", resolve_aliases=True)
    assert isinstance(package, griffe.Module)
    return package


def list_exports(package: griffe.Module, path: str) -> list[griffe.Object]:
    """Return the objects that a module exports, in the order of their modules and lines."""
    module = package[path] if path else package
    found = [module.members[str(name)] for name in module.exports or ()]
    targets = [one.final_target if isinstance(one, griffe.Alias) else one for one in found]
    return [one for one in targets if isinstance(one, griffe.Class | griffe.Function | griffe.Attribute)]


def list_hooks(core: griffe.Module) -> list[griffe.Object]:
    """Return the hooks of the core, in their order."""
    hooks = core["spi.hooks"].members.values()
    return [one for one in hooks if isinstance(one, griffe.Function) and one.name.startswith(HOOK)]


def write_pages() -> dict[str, str]:
    """Return the text of each page, by its name."""
    core, kit = load_package("stithy_core"), load_package("stithy_testing")
    beside = [kit[module][name] for module, names in BESIDE.items() for name in names]
    exported = list_exports(core, "spi")
    records = [one for one in exported if one.canonical_path.startswith("stithy_core.model")]
    pages = {
        "interface": [one for one in exported if one not in records],
        "hooks": list_hooks(core),
        "records": records,
        "testing": [*list_exports(kit, ""), *list_exports(kit, "conformance"), *beside],
        "parsers": list_exports(load_package("ci_failures"), ""),
    }
    return {name: "\n".join(_format_page(name, objects)).rstrip() + "\n" for name, objects in pages.items()}


def _format_page(name: str, objects: Sequence[griffe.Object]) -> Iterator[str]:
    yield f"# {TITLES[name]}: reference"
    yield ""
    yield INTRODUCTIONS[name]
    yield "Generated from the code by `make reference`; the guide is [plugins](../plugins/README.md)."
    modules = {one.module.canonical_path: one.module for one in objects}
    for path in sorted(modules):
        yield ""
        yield f"## {_get_summary(modules[path])}"
        for one in sorted(
            (one for one in objects if one.module.canonical_path == path), key=lambda one: one.lineno or 0
        ):
            yield from _format_object(one)


def _get_summary(module: griffe.Module) -> str:
    """Return the first sentence of a module's docstring, without its full stop."""
    text = module.docstring.value if module.docstring else module.name
    return " ".join(text.split("\n\n")[0].split()).rstrip(".:")


def _format_object(one: griffe.Object, level: int = 3, owner: str = "") -> Iterator[str]:
    yield ""
    yield f"{'#' * level} `{owner}{one.name}`"
    yield ""
    yield "```python"
    yield _format_signature(one)
    yield "```"
    yield from _format_docstring(one)
    if isinstance(one, griffe.Class):
        for member in one.members.values():
            if isinstance(member, griffe.Function | griffe.Attribute) and _is_documented(member):
                yield from _format_object(member, level + 1, f"{one.name}.")


def _is_documented(member: griffe.Function | griffe.Attribute) -> bool:
    return not member.name.startswith("_") and member.docstring is not None


def _format_signature(one: griffe.Object) -> str:
    if isinstance(one, griffe.Attribute):
        kind = f": {one.annotation}" if one.annotation else ""
        value = f" = {one.value}" if one.value is not None and len(str(one.value)) <= 80 else ""
        return f"{one.name}{kind}{value}"
    if isinstance(one, griffe.Class):
        return _format_class(one)
    assert isinstance(one, griffe.Function)
    parameters = [text for text in _list_parameters(one) if text != "self"]
    prefix = "async def" if "async" in one.labels else "def"
    return _wrap(f"{prefix} {one.name}(", parameters, f") -> {one.returns}" if one.returns else ")")


def _format_class(one: griffe.Class) -> str:
    bases = ", ".join(str(base) for base in one.bases)
    lines = [f"class {one.name}({bases})" if bases else f"class {one.name}"]
    for member in one.members.values():
        # Documented attributes have a section of their own; those without a type are set in __init__.
        is_field = isinstance(member, griffe.Attribute) and (member.annotation or "class-attribute" in member.labels)
        if is_field and not member.name.startswith("_") and member.docstring is None:
            lines.append(textwrap.indent(_format_signature(member), "    "))
    return "\n".join(lines)


def _list_parameters(function: griffe.Function) -> Iterator[str]:
    keyword_only = False
    for parameter in function.parameters:
        kind = parameter.kind
        if kind is griffe.ParameterKind.keyword_only and not keyword_only:
            keyword_only = True
            yield "*"
        stars = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}.get(kind, "")
        keyword_only = keyword_only or stars == "*"
        text = f"{stars}{parameter.name}" + (f": {parameter.annotation}" if parameter.annotation else "")
        has_default = parameter.default is not None and not stars
        yield text + (f" = {parameter.default}" if has_default else "")


def _wrap(start: str, parts: Sequence[str], end: str) -> str:
    line = start + ", ".join(parts) + end
    return line if len(line) <= 116 else start + "\n    " + ",\n    ".join(parts) + ",\n" + end


def _format_docstring(one: griffe.Object) -> Iterator[str]:
    for section in one.docstring.parsed if one.docstring else ():
        yield ""
        if section.kind is griffe.DocstringSectionKind.text:
            yield _format_text(str(section.value))
        elif section.kind is griffe.DocstringSectionKind.admonition:
            yield f"{section.title}:\n\n{section.value.description}"
        else:
            yield from _format_table(section)


def _format_text(text: str) -> str:
    """Return a text in Markdown: a hook's example as a block of code, and its order and failure as paragraphs."""
    text, mark, example = text.partition("Example::\n\n")
    text = re.sub(r"\n(Failure:)", r"\n\n\1", text)
    return f"{text}```python\n{textwrap.dedent(example).rstrip()}\n```" if mark else text


def _format_table(section: griffe.DocstringSection) -> Iterator[str]:
    yield f"| {section.kind.value.capitalize()} | Meaning |"
    yield "|---|---|"
    for item in section.value:
        name = getattr(item, "name", "") or getattr(item, "annotation", "") or ""
        description = " ".join(str(item.description).split()).replace("|", "\\|")
        yield f"| `{name}` | {description} |" if name else f"| | {description} |"


def main() -> None:
    """Write the pages."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in write_pages().items():
        (FOLDER / f"{name}.md").write_text(text)


if __name__ == "__main__":
    main()
