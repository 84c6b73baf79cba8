"""A hook of MkDocs: adds the repository's pages to the site, and pages that are generated from the code.

`https://www.mkdocs.org/user-guide/configuration/#hooks` describes hooks.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from stithy_core.app import App
from stithy_core.cli.tool_commands import describe_needs, summarize_needs
from stithy_core.config import Config
from stithy_core.tools import Tool
from stithy_init.documents import set_entry
from stithy_init.host_setups import SERVER, SETUPS, HostSetup, Machine

ROOT = Path(__file__).parents[2]
FOLDERS = ("core", "libs/*", "plugins/*", "deploy", "cassettes", "benchmarks", "changelog", "demo", "tests/*")
GROUPS = {
    "tools/*": re.compile(r"tools/"),
    "packages/*": re.compile(r"(core|libs/[\w-]+|plugins/[\w-]+)/README\.md$"),
    "docs/adr/*": re.compile(r"docs/adr/"),
    "docs/plugins/*": re.compile(r"docs/plugins/"),
    "docs/reference/*": re.compile(r"docs/reference/"),
    "docs/examples/*": re.compile(r"docs/examples/"),
    "docs/forge-behaviour/*": re.compile(r"docs/forge-behaviour/"),
    "others/*": re.compile(r"(cassettes|benchmarks|changelog|demo|tests)/|CHANGELOG\.md"),
}
"""What the patterns of the navigation mean."""
LINK = re.compile(r"(?<=\]\()([^)#\s:]+)(?=[#)])")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
PROGRAM = "/home/ann/.local/bin/stithy"
MACHINE = Machine(home=Path("~"), project=Path(), environ={}, platform="linux")


def list_pages() -> list[str]:
    """Return the paths of the repository's pages, relative to its root."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    found += [path for folder in FOLDERS for path in ROOT.glob(f"{folder}/README.md")]
    return sorted(path.relative_to(ROOT).as_posix() for path in found if "node_modules" not in path.parts)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Replace the patterns of the navigation by pages."""
    names = [*list_pages(), *(f"tools/{name}.md" for name in _create_app().executor.registry.tools)]
    config.nav = [_expand(entry, names) for entry in config.nav or ()]
    return config


def _expand(entry: Any, names: Sequence[str]) -> Any:
    if isinstance(entry, dict):
        return {title: _expand_group(inner, names) for title, inner in entry.items()}
    return entry


def _expand_group(inner: Any, names: Sequence[str]) -> Any:
    if isinstance(inner, str):
        return [name for name in names if GROUPS[inner].match(name)] if inner in GROUPS else inner
    rows: list[Any] = []
    for entry in inner:
        if isinstance(entry, str) and entry in GROUPS:
            rows += _expand_group(entry, names)
        else:
            rows.append(_expand(entry, names))
    return rows


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and pictures; the main README is the first page of the site."""
    pictures = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/pictures/*")]
    for name in (*list_pages(), *pictures):
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    for name, text in write_generated_pages():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to folders to their README, and links to other files to the repository."""
    here = posixpath.dirname(page.file.src_uri)

    def replace(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(here, match[1]))
        if files.get_file_from_path(target) or not (ROOT / target).exists():
            return match[1]  # if it does not exist, the strict build fails
        if files.get_file_from_path(f"{target}/README.md"):
            return f"{match[1].rstrip('/')}/README.md"
        return f"{(config.repo_url or '').rstrip('/')}/blob/main/{target}"

    return "".join(part if part.startswith("```") else LINK.sub(replace, part) for part in FENCE.split(markdown))


@cache
def _create_app() -> App:
    """Return a server with all plugins, without the settings of this machine."""
    return App(Config(), environ={}, directory=ROOT)


def write_generated_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each page that is generated from the code."""
    app = _create_app()
    for name, tool in app.executor.registry.tools.items():
        yield f"tools/{name}.md", "\n".join(_write_tool(app, tool))
    yield "hosts.md", "\n".join(_write_hosts())


def _write_tool(app: App, tool: Tool) -> Iterator[str]:
    spec = tool.spec
    yield f"# {spec.name}\n\n{spec.title}. {spec.description}\n"
    yield f"[Examples and rules](../docs/tools.md) · `stithy tools {spec.name}`\n"
    yield "| | |\n|---|---|"
    yield f"| Plugin | {tool.origin.distribution} |\n| Effects | {spec.effects.value} |"
    yield f"| Time limit | {tool.seconds:.0f} s |"
    for kind, offer in sorted(app.forges.kinds.items()):
        yield f"| {offer.title} | {summarize_needs(describe_needs(app, spec.needs), kind)} |"
    for title, schema in (("Arguments", tool.published), ("Result", tool.output)):
        required = schema.get("required", ())
        yield f"\n## {title}\n\n| Field | Type | {'Required' if title == 'Arguments' else 'Always'} | Description |"
        yield "|---|---|---|---|"
        for name, field in schema["properties"].items():
            text = str(field.get("description", "")).replace("|", "\\|").replace("\n", " ")
            yield f"| `{name}` | {_name_type(field)} | {'yes' if name in required else ''} | {text} |"


def _name_type(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    kind = field.get("type", "any")
    return ", ".join(kind) if isinstance(kind, list) else str(kind)


def _write_hosts() -> Iterator[str]:
    yield "# Hosts\n\nWhat [`stithy init`](docs/commands.md#stithy-init) writes for each agent host, on Linux."
    yield "Other hosts start the command `stithy serve`, which speaks MCP over standard input and output."
    for setup in SETUPS:
        yield from _write_host(setup)


def _write_host(setup: HostSetup) -> Iterator[str]:
    yield f"\n## {setup.title}\n\n```\nstithy init --host {setup.name}\n```\n"
    for scope, templates in setup.files.items():
        named = " or ".join(f"`{MACHINE.expand(template)}`" for template in templates)
        approval = f"; {setup.approval[scope]}" if scope in setup.approval else ""
        yield f"- {scope}: {named}{approval}"
    entry = setup.create_entry([PROGRAM, "serve"], setup.select_variables(["GITHUB_TOKEN"], []))
    path, value = ([setup.key], [{"name": SERVER} | entry]) if setup.is_list else ([setup.key, SERVER], entry)
    yield f"\n```{setup.form}\n{set_entry('', setup.form, path, value).strip()}\n```\n"
    if setup.check:
        yield f"`{setup.check}` shows the server.\n"
