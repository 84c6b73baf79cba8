# ruff: noqa: RUF001 -- the signs are those that Pint prints
"""Laravel Pint's total and the files below it."""

import pytest

import ci_failures

HEAD = f"""\

  ........................⨯......................!............................

  {"─" * 60} Laravel{"  "}
"""
ROWS = """\
  ⨯ routes/web.php               fully_qualified_strict_types, ordered_imports{0}
  ⨯ app/Models/Order.php         unary_operator_spaces, not_operator_with_suc…{0}
  ! src/Cart.php                 Parse error: syntax error, unexpected '}}' on line 9.{0}
"""


def pint(end, rows=ROWS, blanks="   ", after="  "):
    return f"{HEAD}    {end[:4].strip()}{blanks}{'.' * 40} {end[5:]}{after}\n{rows.format(after)}\n"


def parse(log):
    return ci_failures.parse(log.encode())


@pytest.mark.parametrize("blanks", [" ", "  ", "   "])
@pytest.mark.parametrize("after", ["", "  "])
def test_each_file_is_a_finding(blanks, after):
    report = parse(pint("FAIL 149 files, 1 error, 2 style issues", blanks=blanks, after=after))
    assert [(one.kind, one.name, one.line, one.message, one.confidence) for one in report.failures] == [
        *[("lint", "style routes/web.php", None, "fully_qualified_strict_types, ordered_imports", "high")],
        *[("lint", "style app/Models/Order.php", None, "unary_operator_spaces, not_operator_with_suc…", "high")],
        ("compile", "syntax src/Cart.php:9", 9, "Parse error: syntax error, unexpected '}' on line 9.", "high"),
    ]
    assert report.commands == ("vendor/bin/pint --test routes/web.php app/Models/Order.php src/Cart.php",)
    assert not report.gaps


def test_files_that_are_counted_and_not_printed_are_a_gap():
    report = parse(pint("FAIL 149 files, 1 error, 6 style issues"))
    assert "pint itself counts 7 failures, and 3 were read" in report.gaps[0]


def test_differences_that_it_shows_end_no_list():
    rows = ROWS.replace("  ⨯ app", "\n  @@ -1,2 +1,2 @@\n  -use B;\n  +use A;\n\n  ⨯ app")
    assert len(parse(pint("FAIL 149 files, 1 error, 2 style issues", rows)).failures) == 3


def test_files_that_it_corrected_are_no_failures():
    rows = "  ✓ routes/web.php             ordered_imports{0}\n  ! src/Cart.php             Parse error: no.{0}\n"
    report = parse(pint("FAIL 2 files, 1 error, 1 style issue fixed", rows))
    assert [one.name for one in report.failures] == ["syntax src/Cart.php"]
    assert not report.gaps


def test_a_run_without_findings_passed():
    assert parse(pint("PASS 149 files", "")).status == "passed"


def test_a_file_elsewhere_is_no_finding():
    assert not parse("  ⨯ routes/web.php               ordered_imports\n").failures
