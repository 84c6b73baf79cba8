"""docs/reference is what the code says, and leaves nothing out."""

import attrs
import pytest
import reference

import stithy_testing
from stithy_core import spi
from stithy_core.spi import hooks
from stithy_testing import conformance


@pytest.fixture(scope="module")
def pages():
    """The pages as the code has them now."""
    return reference.write_pages()


@pytest.mark.parametrize("name", sorted(reference.TITLES))
def test_a_page_is_what_the_code_says(pages, name):
    assert (reference.FOLDER / f"{name}.md").read_text() == pages[name], "run: make reference"


@pytest.mark.parametrize("module", [spi, stithy_testing, conformance])
def test_every_exported_name_is_in_the_reference(pages, module):
    text = "\n".join(pages.values())
    assert not [name for name in module.__all__ if f"\n### `{name}`\n" not in text]


def test_every_hook_is_in_the_guide():
    guide = "\n".join(path.read_text() for path in (reference.ROOT / "docs" / "plugins").glob("*.md"))
    assert not [name for name in vars(hooks) if name.startswith("stithy_") and f"`{name}`" not in guide]


def test_every_field_of_every_record_is_in_the_reference(pages):
    records = [one for one in (getattr(spi, name) for name in spi.__all__) if isinstance(one, type) and attrs.has(one)]
    text = "\n".join(pages.values())
    for record in records:
        section = text.partition(f"\n### `{record.__name__}`\n")[2].partition("\n### ")[0]
        own = [field.name for field in attrs.fields(record) if not field.inherited and field.name[0] != "_"]
        assert not [name for name in own if f"{name}:" not in section], record.__name__
