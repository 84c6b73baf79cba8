# ruff: noqa: RUF001 -- the signs are what a wrong encoding makes, and what it was made from
"""UTF-8 that was read in a wrong code page is repaired, and no other text."""

import pytest
from wrapping import as_read_in

from ci_failures.logs.mojibake import CODE_PAGES, MojibakeRepair

TEXT = "✓ ok ⎯⎯⎯ ❯ src › login — “ünïcode”\nplain\n"


@pytest.mark.parametrize("code_page", CODE_PAGES)
def test_what_was_read_in_a_code_page_is_repaired(code_page):
    assert MojibakeRepair().repair(as_read_in(code_page)(TEXT).encode()).decode() == TEXT


def test_the_mark_at_the_beginning_of_a_file_hides_no_code_page():
    text = "a ✅ ok\n❌ bad\n"
    wrong = as_read_in("cp437")(text)
    assert MojibakeRepair().repair(f"\ufeff{wrong}".encode()).decode() == f"\ufeff{text}"


@pytest.mark.parametrize("text", ["été à la carte, â ÔÔ\n", "тест упал в работе\n", "Γεια ∩ ∪\n", TEXT])
def test_what_is_right_stays(text):
    assert MojibakeRepair().repair(text.encode()).decode() == text
