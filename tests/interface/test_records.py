"""The forge-neutral records: made by keyword, and described field by field."""

import inspect
import re
from typing import get_args, get_type_hints

import attrs
import pytest

import stithy_core.model
import stithy_core.model.code
import stithy_core.model.conversations
import stithy_core.model.verdicts
from stithy_core.spi import IssueRef, Listing, PullRequestRef, RepositoryRef, Thread, Unknown, User

MODULES = (
    stithy_core.model,
    stithy_core.model.code,
    stithy_core.model.conversations,
    stithy_core.model.verdicts,
)
RECORDS = [
    record
    for module in MODULES
    for name, record in vars(module).items()
    if inspect.isclass(record) and attrs.has(record) and record.__module__ == module.__name__ and name[0] != "_"
]
VALUES = (RepositoryRef, IssueRef, PullRequestRef, Unknown, Listing)
"""Values whose first parts may be passed by position."""


def read_field_descriptions(record):
    """Return what the section `Args` of a record's docstring says of each field; inherited fields are on the base."""
    _, _, section = inspect.getdoc(record).partition("Args:\n")
    found = re.findall(r"^    (\w+): (.+?)(?=^    \w|\Z)", section, re.DOTALL | re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in found}


def is_own(record, field):
    return not field.inherited and field.init


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_field_is_described(record):
    own = [field.name for field in attrs.fields(record) if is_own(record, field)]
    assert list(read_field_descriptions(record)) == own


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_a_field_that_may_be_unknown_says_when(record):
    hints, described = get_type_hints(record), read_field_descriptions(record)
    for field in attrs.fields(record):
        if is_own(record, field) and Unknown in get_args(hints[field.name]):
            assert "unknown" in described[field.name].lower(), f"{record.__name__}.{field.name}"


@pytest.mark.parametrize("record", [record for record in RECORDS if record not in VALUES], ids=lambda one: one.__name__)
def test_a_record_takes_its_fields_by_keyword(record):
    assert all(field.kw_only for field in attrs.fields(record))


def test_a_reason_and_a_remedy_and_the_items_of_a_list_need_no_name():
    assert Unknown("hidden", "Ask an owner.").remedy == "Ask an owner."
    assert list(Listing((1, 2), total=3)) == [1, 2]
    with pytest.raises(TypeError):
        Listing((1, 2), 3)


@pytest.mark.parametrize(
    ("path", "line", "place"), [("horn.py", 14, "horn.py:14"), ("horn.py", None, "horn.py"), (None, None, "")]
)
def test_the_place_of_a_thread(path, line, place):
    thread = Thread(id="7", path=path, line=line, resolved=False, comments=())
    assert thread.place == place
    assert thread.sort_key[:2] == (path or "", line or 0)


def test_an_account_takes_no_id_by_position():
    with pytest.raises(TypeError):
        User("ann", "901")
