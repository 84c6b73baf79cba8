"""The tables of the guide name everything that there is."""

import inspect
import re
from pathlib import Path

import attrs
import pytest

from stithy_core import spi
from stithy_core.plugins.hook_calls import find_item_type
from stithy_core.spi import (
    CAPABILITIES,
    Answer,
    AppKey,
    Context,
    Credentials,
    Dialect,
    ErrorResponse,
    Forge,
    Http,
    Meta,
    RateLimits,
    Scope,
    SyncContext,
    Token,
    ToolSpec,
    hooks,
)
from stithy_testing.conformance import Stage

PAGE = "plugins"
FORGE_CHAPTERS = ("first-forge", "operations", "names-and-heads", "http-and-lists")


def test_every_python_block_is_a_file_that_is_run(blocks):
    tested = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py"))
    for block in blocks(PAGE, "python"):
        name = re.split(r"[/.]", block.name)[0]
        assert name == "tests" or name.replace("_", "-") in tested or name in tested


def rows(page):
    """Return the first cells of all table rows of the page, joined."""
    return " ".join(line.split("|")[1] for line in page(PAGE).splitlines() if line.startswith("| `"))


@pytest.mark.parametrize("cls", [Meta, ToolSpec, Dialect, Stage], ids=lambda cls: cls.__name__)
def test_every_field_has_a_row(page, cls):
    assert not [name.name for name in attrs.fields(cls) if f"`{name.name}`" not in rows(page)]


@pytest.mark.parametrize("cls", [Scope, Context, SyncContext, Http, Credentials], ids=lambda cls: cls.__name__)
def test_everything_that_is_handed_over_has_a_row(page, cls):
    handed = [name for name in {*vars(cls), *cls.__annotations__} if not name.startswith("_")]
    assert not [name for name in handed if not re.search(rf"`{name}[`(]", rows(page))]


def test_every_method_of_a_forge_has_a_row(page):
    methods = [name for name, method in vars(Forge).items() if callable(method) and not name.startswith("_")]
    assert not [name for name in methods if f"`{name}(" not in rows(page)]


def test_every_hook_that_is_served_has_a_row(page):
    names = {name for name in vars(hooks) if name.startswith("stithy_")}
    assert not [name for name in names if f"`{name}`" not in rows(page)]


def test_every_operation_has_a_row(page):
    for capability in CAPABILITIES:
        names = [name for name in vars(capability) if not name.startswith("_") and name != "attribute"]
        assert f"| `{capability.__name__}` | {', '.join(f'`{name}`' for name in names)} |" in page(PAGE)


@pytest.mark.parametrize("cls", [RateLimits, ErrorResponse, Answer, Token, AppKey], ids=lambda cls: cls.__name__)
def test_every_field_of_what_dialects_and_credentials_use_is_told(page, cls):
    assert not [name.name for name in attrs.fields(cls) if not re.search(rf"\b{name.name}\b", forge_part(page))]


HELPERS = ["map_concurrently", "or_unknown", "composed_readiness", "declared_support", "split_diff_sections"]
HELPERS += ["parse_diff_path", "unquote_path", "hold_file_lock", "try_file_lock", "convert_panics", "format_count"]


@pytest.mark.parametrize("name", HELPERS)
def test_a_help_for_forges_is_told_with_its_arguments(page, name):
    called = re.search(rf"`(?:await )?{name}\((.*?)\)`", forge_part(page))
    assert len(called[1].split(", ")) == len(inspect.signature(getattr(spi, name)).parameters)


def forge_part(page):
    return "".join(page(f"{PAGE}/{chapter}.md") for chapter in FORGE_CHAPTERS)


def test_the_page_names_the_item_type_of_each_hook(page):
    for name in sorted({name for name in vars(hooks) if name.startswith("stithy_")} - {"stithy_hookspecs"}):
        kind = find_item_type(vars(hooks)[name])
        given = getattr(kind, "__name__", str(kind))
        assert re.search(rf"\| `{name}` \| `{given}", page(PAGE))
