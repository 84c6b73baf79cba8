"""Real exchanges with api.github.com, of 2012 to 2023: the mappers read every object as the answer has it.

No exchange is left out: `github_recorded.places` lists what each is used for, or why no mapper applies.
"""

import re

import pytest
from github_recorded.exchanges import iterate_objects
from github_recorded.places import READ, THROUGH, UNREAD, WITHIN
from github_recorded.plain import plain
from github_recorded.shapes import SHAPES, find_shape

FORMS = {form: kind for kind, forms in READ.items() for form in forms}
PLACES = (*FORMS, *WITHIN, *THROUGH, *UNREAD)


@pytest.fixture(scope="session")
def answered(recorded):
    """All successful answers."""
    return [exchange for exchange in recorded if exchange.status < 300 or exchange.status == 304]


def match_forms(exchange, forms=PLACES):
    return [form for form in forms if re.fullmatch(form, exchange.named)]


def list_rows(exchange):
    return exchange.body if isinstance(exchange.body, list) else [exchange.body]


@pytest.mark.parametrize("kind", SHAPES)
def test_each_field_of_the_model_is_the_answers_value(recorded, kind):
    shape = SHAPES[kind]
    found = [row for exchange in recorded for row in iterate_objects(exchange.body) if find_shape(row) == kind]
    for row in found:
        assert plain(shape.read(row)) == shape.expected(row)
    assert found


def test_all_exchanges_are_there(recorded):
    assert (len(recorded), len({exchange.file for exchange in recorded})) == (323, 131)


def test_every_success_is_used_or_named(answered):
    """The other exchanges are redirects and errors, which are read through the forge."""
    wrong = [(one.file, one.named, match_forms(one)) for one in answered if len(match_forms(one)) != 1]
    assert wrong == []


@pytest.mark.parametrize("form", PLACES)
def test_every_listed_form_exists(answered, form):
    assert [one for one in answered if match_forms(one, [form])]


@pytest.mark.parametrize(("form", "kind"), FORMS.items())
def test_objects_that_are_read_are_known_by_their_fields(answered, form, kind):
    """Otherwise an object of its kind could be skipped."""
    for exchange in answered:
        if match_forms(exchange, [form]):
            told = {find_shape(row) for row in list_rows(exchange)}
            assert told <= ({kind, "pull request"} if kind == "issue" else {kind}), exchange.named


@pytest.mark.parametrize("form", WITHIN)
def test_partly_read_answers_contain_objects_that_are_read(answered, form):
    for exchange in answered:
        if match_forms(exchange, [form]):
            assert exchange.body in ([], {"users": [], "teams": []}) or any(
                map(find_shape, iterate_objects(exchange.body))
            )


@pytest.mark.parametrize("form", [*THROUGH, *UNREAD])
def test_unread_answers_contain_no_objects_to_read(answered, form):
    for exchange in answered:
        if match_forms(exchange, [form]) and form != r"POST /app/installations/\d+/access_tokens":
            assert not any(map(find_shape, iterate_objects(exchange.body))), exchange.named
