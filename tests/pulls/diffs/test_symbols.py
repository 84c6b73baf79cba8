"""Definitions of several languages, and who may use them."""

import pytest

from stithy_pulls.code.definitions import list_definitions
from stithy_pulls.code.source_trees import UnparsableCode, parse_tree

CASES = {
    "python": (
        "class A:\n    def m(self): pass\n    def _p(self): pass\ndef f():\n    def inner(): pass\n",
        ["A", "A.m", "f"],
        ["A._p"],
    ),
    "typescript": (
        "export class A { m(): void {} private p(): void {} }\nexport const g = (x: number) => x\nfunction h() {}\n",
        ["A", "A.m", "g"],
        ["A.p", "h"],
    ),
    "go": ("package p\nfunc F() {}\nfunc g() {}\ntype T struct { a int }\n", ["F", "T"], ["g"]),
    "rust": ("pub struct S;\nimpl S { pub fn m(&self) {} fn p(&self) {} }\nfn q() {}\n", ["S", "S.m"], ["S.p", "q"]),
    "java": ("public class A { public void m() {} void p() {} }\n", ["A", "A.m"], ["A.p"]),
    "csharp": ("public class A { public void M() {} private void P() {} }\n", ["A", "A.M"], ["A.P"]),
    "php": ("<?php\nclass A { public function m() {} private function p() {} }\n", ["A", "A.m"], ["A.p"]),
}


@pytest.mark.parametrize("language", CASES)
def test_definitions_are_listed_with_their_visibility(language):
    code, exposed, hidden = CASES[language]
    found = list_definitions(code, language)
    assert [one.name for one in found if one.exposed] == exposed
    assert [one.name for one in found if not one.exposed] == hidden


def test_a_new_member_does_not_change_the_signature():
    before, after = (
        list_definitions(f"package p\ntype T struct {{ {body} }}\n", "go") for body in ("a int", "a, b int")
    )
    assert before[0].signature == after[0].signature == "T struct"


@pytest.mark.parametrize("code", ["", "\0", "class", "def (((", "\u2028" * 99, "class A:\n" * 500])
def test_broken_code_does_not_crash(code):
    assert isinstance(list_definitions(code, "python"), list)


def test_a_panic_is_contained(capfd):
    """A panic of ast-grep does not derive from `Exception`, as for an unknown language."""
    with pytest.raises(UnparsableCode):
        parse_tree("x", "klingon")
    capfd.readouterr()
