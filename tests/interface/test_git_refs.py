"""Which texts git accepts as a full ref; git itself decides."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_core.spi import find_ref_fault

PIECES = [
    "refs",
    "/",
    "//",
    "heads",
    "pull",
    "7",
    ".",
    "..",
    "@",
    "{",
    "@{",
    ".lock",
    " ",
    "~",
    "^",
    ":",
    "?",
    "*",
    "[",
]
PIECES += ["\\", "]", "}", "-", "\t", "\n", "\x7f", "\x80", "ä", "\udcff", "a"]


def accepts_ref(ref):
    """Return whether git accepts a ref."""
    command = ["git", "check-ref-format", ref]
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode == 0


@pytest.mark.parametrize(
    "ref",
    ["refs/heads/main", "refs/pull/7/head", "refs/merge-requests/7/head", "refs/changes/23/123/4", "refs/heads/-x"],
)
def test_refs_of_forges_are_valid(ref):
    assert find_ref_fault(ref) == ""


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("form", ["refs/a{}", "refs/{}a", "refs/a/{}/b"])
def test_each_special_text_is_judged_as_by_git(piece, form):
    ref = form.format(piece)
    assert (find_ref_fault(ref) == "") == accepts_ref(ref), ref


@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
def test_any_text_below_refs_is_judged_as_by_git(text):
    ref = f"refs/{text}"
    assert (find_ref_fault(ref) == "") == accepts_ref(ref), ref


@pytest.mark.parametrize("ref", ["", "main", "pull/7/head", "-refs/heads/main", "--upload-pack=x", "Refs/heads/main"])
def test_a_ref_begins_with_refs(ref):
    assert find_ref_fault(ref) == "it does not begin with 'refs/'"


@pytest.mark.parametrize("text", ["\ud800", "\x00"])
def test_a_text_that_no_program_can_receive_is_invalid(text):
    assert find_ref_fault(f"refs/{text}")
