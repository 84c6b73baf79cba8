"""Linters of Go, Lua and Ruby, by the outputs of their newest versions."""

import pytest

import ci_failures

LUACHECK = """Checking lua/till.lua                             2 warnings

    lua/till.lua:5:17: unused variable 'box'
    lua/till.lua:50:121: (W631) line is too long (126 > 120)

Checking lua/cart.lua                             OK

Total: 2 warnings / 0 errors in 2 files
"""
GOSEC = """Results:


[/home/runner/work/app/app/cart/cart.go:37] - G104 (CWE-703): Errors unhandled. (Confidence: HIGH, Severity: LOW)
    36:
  > 37:     file.Close()
    38: }

Summary:
  Gosec  : 2.22.4
  Issues : 1
"""
TOLD = {
    "luacheck": (LUACHECK, ["unused variable 'box' lua/till.lua:5:17", "W631 lua/till.lua:50:121"]),
    "gosec": (GOSEC, ["G104 cart/cart.go:37"]),
    "staticcheck": (
        "cart/cart.go:9:9: empty branch (SA9003)\ncart/cart.go:15:2: should use append (S1011)\n",
        ["SA9003 cart/cart.go:9:9", "S1011 cart/cart.go:15:2"],
    ),
    "standardrb": (
        "  app/models/cart.rb:45:5: Style/StringLiterals: Prefer double-quoted strings.\n",
        ["Style/StringLiterals app/models/cart.rb:45:5"],
    ),
}


@pytest.mark.parametrize("tool", TOLD)
def test_findings_are_told(tool):
    text, names = TOLD[tool]
    report = ci_failures.parse(text.encode())
    assert [(one.tool, one.kind, one.name) for one in report.failures] == [(tool, "lint", name) for name in names]
    assert not report.gaps


def test_no_finding_is_proof():
    text = "Checking a.lua                  OK\n\nTotal: 0 warnings / 0 errors in 1 file\n"
    assert ci_failures.parse(text.encode()).status == "passed"


@pytest.mark.parametrize("total", ["82 files inspected, 23 lints detected", "3 error(s) were found in ERB files"])
def test_totals_of_linters_without_a_parser_are_no_proof_of_success(total):
    assert ci_failures.parse(f"{total}\n".encode()).status == "unknown"
