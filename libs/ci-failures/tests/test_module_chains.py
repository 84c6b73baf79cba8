"""Modules that the go command cannot load."""

import pytest

import ci_failures

TIDY = """go: finding module for package example.com/app/core
go: example.com/app/box tested by
\texample.com/app/box.test imports
\texample.com/app/core: no matching versions for query "latest"
go: example.com/app/box imports
\texample.com/lid/sub: module example.com/lid@latest found (v1.2.3), but does not contain package example.com/lid/sub
example.com/app/box imports
\tunknown.example/x: unrecognized import path "unknown.example/x": https fetch failed
go: example.com/lid@v1.2.3 requires
\texample.com/pin@v0.9.0: parsing go.mod:
\tmodule declares its path as: example.org/pin
"""
MODULES = {
    "module example.com/app/core": 'no matching versions for query "latest"',
    "module example.com/lid/sub": "but does not contain package",
    "module unknown.example/x": "unrecognized import path",
    "module example.com/pin@v0.9.0": "module declares its path as: example.org/pin",
}


@pytest.mark.parametrize("prefix", ["", "Check modules\tRun go mod tidy\t2026-06-15T21:48:36.9902193Z "])
def test_each_module_at_the_end_of_a_chain_is_read_beside_other_failures(prefix):
    others = f"{TIDY}--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\tapp\t0.002s\n"
    report = ci_failures.parse("".join(f"{prefix}{line}\n" for line in others.splitlines()).encode())
    read = {one.name: one for one in report.failures}
    assert sorted(read) == sorted([*MODULES, "app.TestA"])
    assert all(text in read[name].message and read[name].kind == "dependency" for name, text in MODULES.items())
    assert "example.com/app/box.test imports" in read["module example.com/app/core"].message


def test_what_is_not_the_end_of_a_chain_is_no_module():
    text = "go: example.com/app imports\nok\n\texample.com/x: not of it\nthis imports\n\tother.py: the file\n"
    assert not ci_failures.parse(f"{text}\texample.com/y requires\n\texample.com/x: no\n".encode()).failures


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("go: go.mod file not found in current directory or any parent directory; see 'go help modules'\n", None, ""),
        (
            "go: cannot find main module, but found .git/config in /app\n\tto create a module there, run:\n",
            None,
            "run:",
        ),
        (
            "go: inconsistent vendoring in /app:\n\tx.org/a@v1.0.0: is explicitly required in go.mod\n",
            "modules: inconsistent vendoring",
            "x.org/a",
        ),
        ("go: errors parsing go.mod:\n/app/go.mod:3: unknown directive: x\n", "modules: errors parsing go.mod", ":3: "),
        (
            "go: x.org/a@v1.0.0: parsing go.mod:\n\tmodule declares its path as: x.org/b\n",
            "module x.org/a@v1.0.0",
            "",
        ),
    ],
)
def test_what_is_wrong_with_the_modules_themselves_is_read(text, name, message):
    (one,) = ci_failures.parse(f"{text}##[error]Process completed with exit code 1.\n".encode()).failures
    assert (one.tool, one.kind, one.confidence) == ("go", "dependency", "high")
    assert one.name == (name or one.name)
    assert message in one.message
