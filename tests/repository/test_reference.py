"""docs/reference is what the code says, and leaves nothing out."""

import inspect

import attrs
import pytest
import reference

import ci_failures
import stithy_testing
from stithy_core import spi
from stithy_core.spi import Capability, hooks
from stithy_testing import conformance

MODULES = (spi, stithy_testing, conformance, ci_failures)
HOOKS = [name for name in vars(hooks) if name.startswith(reference.HOOK)]


@pytest.fixture(scope="module")
def pages():
    """The pages as the code has them now."""
    return reference.write_pages()


@pytest.mark.parametrize("name", sorted(reference.TITLES))
def test_a_page_is_what_the_code_says(pages, name):
    assert (reference.FOLDER / f"{name}.md").read_text() == pages[name], "run: make reference"


@pytest.mark.parametrize("module", MODULES)
def test_every_exported_name_is_in_the_reference(pages, module):
    text = "\n".join(pages.values())
    assert not [name for name in module.__all__ if f"\n### `{name}`\n" not in text]


def test_every_hook_is_in_the_reference_and_in_the_guide(pages):
    guide = "\n".join(path.read_text() for path in (reference.ROOT / "docs" / "plugins").glob("*.md"))
    assert [name for name in HOOKS if f"\n### `{name}`\n" in pages["hooks"] and f"`{name}`" in guide] == HOOKS


def list_members(cls):
    """Return the public fields, attributes and methods that a class of the interface adds to its bases."""
    own = [name for name, value in vars(cls).items() if inspect.isroutine(value) or isinstance(value, property)]
    fields = [one.name for one in attrs.fields(cls) if not one.inherited and one.init] if attrs.has(cls) else []
    typed = (
        []
        if attrs.has(cls)
        else [name for name, hint in vars(cls).get("__annotations__", {}).items() if not is_part(hint)]
    )
    return {name for name in (*own, *fields, *typed) if not name.startswith(("_", "test_"))}


def is_part(hint):
    """Return whether an attribute is a capability of a forge, which its class describes."""
    return isinstance(hint, type) and issubclass(hint, Capability)


@pytest.mark.parametrize("module", MODULES)
def test_every_field_and_method_is_described(pages, module):
    """A row of a table, or a section of its own."""
    text = "\n".join(pages.values())
    classes = [one for one in (getattr(module, name) for name in module.__all__) if isinstance(one, type)]
    for cls in (one for one in classes if one.__module__ != "builtins"):
        section = text.partition(f"\n### `{cls.__name__}`\n")[2].partition("\n### ")[0]
        described = ["\n| `{}` | ", f"\n#### `{cls.__name__}.{{}}`\n"]
        missing = [name for name in list_members(cls) if not any(form.format(name) in section for form in described)]
        assert not missing, cls.__name__
