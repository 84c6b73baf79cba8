"""Linters of Go, Lua, Ruby, TypeScript and Protobuf by the outputs of their newest versions; HLint by its manual."""

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
REVIVE = """  ✘  https://revive.run/r#var-naming  don't use underscores in Go names
  lib/a.go:5:6

  ⚠  https://revive.run/r#exported  exported function Total should have comment or be unexported
  lib/a.go:7:1

✘ 2 problems (1 error, 1 warning)
"""
GOLINT = """lib/a.go:5:6: don't use underscores in Go names; type cart_item should be cartItem
lib/a.go:7:1: error should be the last type when returning multiple items
Found 2 lint suggestions; failing.
"""
TSLINT = """
a.ts:3:1
ERROR: 3:1   no-console     Calls to 'console.log' are not allowed.
WARNING: 4:1   no-debugger    Use of debugger statements is forbidden
ERROR: 5:7   triple-equals  == should be ===

"""
HLINT = """src/Cart.hs:5:7-23: Warning: Use and
Found:
  foldr1 (&&)
Perhaps:
  and

src/Till.hs:(6,1)-(8,9): Suggestion: Use fewer imports
Found:
  import A

2 hints
"""
REVIVE_STYLISH = """lib/a.go
  (5, 6)   https://revive.run/r#var-naming  don't use underscores in Go names
  (17, 1)  https://revive.run/r#exported    exported function Total should have comment or be unexported


 ✖ 2 problems (2 errors) (0 warnings)
"""
REVIVED = ["var-naming lib/a.go:5:6", "exported lib/a.go:17:1"]
REVIVE_PLAIN = """lib/a.go:5:6: don't use underscores in Go names https://revive.run/r#var-naming
lib/a.go:17:1: exported function Total should have comment or be unexported https://revive.run/r#exported
"""
REVIVE_UNIX = """lib/a.go:5:6: [var-naming] don't use underscores in Go names
lib/a.go:17:1: [exported] exported function Total should have comment or be unexported
"""
TOLD = {
    "revive stylish": (REVIVE_STYLISH, REVIVED),
    "revive plain": (REVIVE_PLAIN, REVIVED),
    "revive unix": (REVIVE_UNIX, REVIVED),
    "revive": (REVIVE, ["var-naming lib/a.go:5:6"]),
    "golint": (
        GOLINT,
        [
            "don't use underscores in Go names; type cart_item should be cartItem lib/a.go:5:6",
            "error should be the last type when returning multiple items lib/a.go:7:1",
        ],
    ),
    "tslint": (TSLINT, ["no-console a.ts:3:1", "triple-equals a.ts:5:7"]),
    "tslint in prose": ("\nERROR: src/a.ts:5:7 - == should be ===\n\n", ["== should be === src/a.ts:5:7"]),
    "tslint with rules": ("ERROR: (no-empty) src/a.tsx[5, 13]: block is empty\n", ["no-empty src/a.tsx:5:13"]),
    "hlint": (HLINT, ["Use and src/Cart.hs:5:7", "Use fewer imports src/Till.hs:6:1"]),
    "buf": (
        'proto/a.proto:3:9:Message name "cart" should be PascalCase, such as "Cart".\nproto/b.proto:3:9: of protoc\n',
        ['Message name "cart" should be PascalCase, such as "Cart". proto/a.proto:3:9'],
    ),
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
    assert [(one.tool, one.kind, one.name) for one in report.failures] == [
        (tool.split()[0], "lint", name) for name in names
    ]
    assert not report.gaps


def test_no_finding_is_proof():
    text = "Checking a.lua                  OK\n\nTotal: 0 warnings / 0 errors in 1 file\n"
    assert ci_failures.parse(text.encode()).status == "passed"


@pytest.mark.parametrize("total", ["82 files inspected, 23 lints detected", "3 error(s) were found in ERB files"])
def test_totals_of_linters_without_a_parser_are_no_proof_of_success(total):
    assert ci_failures.parse(f"{total}\n".encode()).status == "unknown"


def test_suggestions_of_golint_without_its_total_are_of_no_known_tool():
    report = ci_failures.parse(GOLINT.partition("Found")[0].encode())
    assert (report.failures, report.status) == ((), "unknown")


def test_suggestions_of_golint_that_are_not_in_the_log_are_a_gap():
    report = ci_failures.parse(GOLINT.partition("\n")[2].encode())
    assert report.gaps == ("input: golint counts 2 failures, and no failure was read",)


@pytest.mark.parametrize(
    "command",
    [
        "$ npx prettier -l .",
        "> prettier --list-different 'src/**/*.ts'",
        "+ node_modules/.bin/prettier src --list-different",
        "$ pnpm exec prettier --ignore-path .x -l src",
    ],
)
def test_names_of_files_behind_an_echoed_command_are_what_prettier_would_change(command):
    report = ci_failures.parse(f"{command}\n\nsrc/a.ts\n.eslintrc.json\nDone in 1.2s.\nsrc/b.ts\n".encode())
    assert [(one.tool, one.name, one.confidence) for one in report.failures] == [
        ("prettier", "style src/a.ts", "medium"),
        ("prettier", "style .eslintrc.json", "medium"),
    ]


@pytest.mark.parametrize(
    "command", ["$ prettier --write -l .", "$ prettier --check .", "$ ls -l", "see prettier -l x", "$ my-prettier -l ."]
)
def test_names_of_files_behind_other_commands_are_no_findings(command):
    assert ci_failures.parse(f"{command}\nsrc/a.ts\n".encode()).failures == ()


def test_findings_of_revive_without_levels_are_less_sure():
    texts = (REVIVE_STYLISH, REVIVE_STYLISH.replace("(2 errors) (0 warnings)", "(1 error) (1 warning)"), REVIVE_PLAIN)
    sure = [{one.confidence for one in ci_failures.parse(text.encode()).failures} for text in texts]
    assert sure == [{"high"}, {"medium"}, {"medium"}]


def test_warnings_of_revive_alone_are_no_failures():
    text = REVIVE_STYLISH.replace("(2 errors) (0 warnings)", "(0 errors) (2 warnings)")
    assert not ci_failures.parse(text.encode()).failures


@pytest.mark.parametrize("text", [REVIVE, REVIVE_STYLISH], ids=["friendly", "stylish"])
def test_problems_of_revive_that_are_counted_and_not_read_are_a_gap(text):
    counted = text.replace("2 problems (1 error,", "3 problems (2 errors,").replace("2 problems (2", "3 problems (3")
    assert "revive itself counts" in " ".join(ci_failures.parse(counted.encode()).gaps)
