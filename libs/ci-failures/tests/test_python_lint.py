"""ruff, flake8 and mypy: what is particular; that their logs are read whole is shown in test_logs.py."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ci_failures
from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.model import Line
from ci_failures.parsers.python.flake8 import Flake8
from ci_failures.parsers.python.mypy import Mypy
from ci_failures.parsers.python.ruff import Ruff

LOGS = Path(__file__).parent / "logs"
LITERALS = Literals((Ruff, Flake8, Mypy))
TOOLS = ("ruff", "flake8", "mypy")
CASES = sorted(f"{tool}/{path.stem}" for tool in TOOLS for path in (LOGS / tool).glob("*.log"))
NOISE = (
    "m.py:1:2: E1 x",
    " --> m.py:1:2",
    "Found 3 errors.",
    "F401 x",
    "m.py:3: error: x",
    "m.py:",
    "  1:2 F401 x",
    "7",
    "",
)


def log(case):
    return (LOGS / f"{case}.log").read_text(encoding="utf-8")


def parse(text):
    reader = LogReader(LITERALS)
    reader.feed(text.encode())
    return [one for told in reader.finish() for one in told.failures]


def names(text):
    return {(failure.tool, failure.name) for failure in parse(text)}


def test_a_block_of_ruff_tells_its_remedy():
    failure = next(one for one in parse(log("ruff/new-full")) if one.name == "F401 shop/typed.py:5:31")
    assert failure.message == "`shop.other.missing` imported but unused"
    assert failure.suggested_fix == "Remove unused import: `shop.other.missing`"


def test_all_formats_of_ruff_tell_the_same():
    assert names(log("ruff/new-full")) == names(log("ruff/new-concise"))
    assert names(log("ruff/new-full")) == names(log("ruff/new-github"))


def test_what_github_stores_of_a_command_of_ruff_is_read():
    lines = [line.rpartition("::")[2].replace("%0A", "\n") for line in log("ruff/new-github").splitlines()]
    assert names("\n".join(f"##[error]{line}" for line in lines)) == names(log("ruff/new-full"))


def test_ruff_after_flake8_takes_as_many_as_it_counts():
    told = names(log("flake8/7-plain") + log("ruff/new-concise"))
    assert told == names(log("flake8/7-plain")) | names(log("ruff/new-concise"))


def test_a_file_that_cannot_be_read_is_a_failure_to_compile():
    codes = {failure.name.partition(" ")[0] for failure in parse(log("ruff/new-full")) if failure.kind == "compile"}
    assert codes == {"invalid-syntax"}
    assert [failure.kind for failure in parse(log("mypy/new-syntax"))] == ["compile"]


def test_a_message_of_mypy_is_told_whole_where_it_is_wrapped():
    plain = {failure.name: failure.message for failure in parse(log("mypy/new-plain"))}
    assert {failure.name: failure.message for failure in parse(log("mypy/new-pretty"))} == plain


def test_source_that_mypy_shows_is_no_error():
    assert not [name for _, name in names(log("mypy/new-pretty")) if "m.py" in name]


def test_a_compiler_s_error_in_c_is_not_mypy_s():
    assert parse("src/a.c:3:5: error: expected ';' [-Werror]\nFound 1 error in 1 file (checked 1 source file)\n") == []


def test_a_traceback_is_no_finding():
    assert parse('  File "shop/a.py", line 3, in pay\nshop/a.py:3: ValueError\nshop/a.py:3:1: C0114: Missing\n') == []


def test_the_same_files_are_looked_at_again():
    assert Ruff.rerun(parse(log("ruff/new-format"))) == "ruff format --check shop/typed.py shop/unused.py"
    assert Ruff.rerun(parse(log("ruff/new-full"))).endswith("shop/unused.py 'shop/with space.py'")
    assert Mypy.rerun(parse(log("mypy/new-plain"))) == "mypy shop/typed.py"


@given(st.sampled_from(CASES), st.integers(0, 200), st.integers(0, 200))
def test_a_cut_log_names_nothing_else(case, begin, length):
    lines = log(case).splitlines()
    known = {(one.file, one.line) for one in parse("\n".join(lines))}
    assert {(one.file, one.line) for one in parse("\n".join(lines[begin:][:length]))} <= known


@pytest.mark.parametrize("parser", [Ruff, Flake8, Mypy])
@given(st.sampled_from(CASES), st.lists(st.sampled_from(NOISE) | st.text(max_size=40), max_size=30), st.data())
def test_whatever_stands_between_nothing_is_raised(parser, case, noise, data):
    lines = log(case).splitlines()
    for text in noise:
        lines.insert(data.draw(st.integers(0, len(lines))), text)
    reader = parser()
    for number, text in enumerate(lines, 1):
        reader.read(Line(number, text))
    told = [failure.name for failure in reader.finish()]
    assert len(told) == len(set(told))


def test_a_line_without_a_code_is_mypy_s_only_if_it_counts_it():
    assert parse("setup.py:1: error: no\n") == []
    assert names("a.py:1: error: no\nFound 1 error in 1 file (checked 1 source file)\n") == {("mypy", "error a.py:1")}


def test_a_line_for_pylint_has_no_column(read):
    (tale,) = read("src/a.py:1: [F401] `os` imported but unused\n")
    assert [(one.tool, one.name) for one in tale.failures] == [("ruff", "F401 src/a.py:1")]
    (tale,) = read("src/a.py:1: [F401] 'os' imported but unused\n")
    assert [(one.tool, one.name) for one in tale.failures] == [("flake8", "F401 src/a.py:1")]


def test_an_annotation_of_ruff_may_have_a_remedy(read):
    line = "::error title=ruff (F401),file=/r/a.py,line=1,col=8::a.py:1:8: F401 `os` is unused%0A  help: Remove it\n"
    (told,) = read(line)[0].failures
    assert (told.message, told.suggested_fix) == ("`os` is unused", "Remove it")


def test_findings_of_deptry_are_not_those_of_flake8(read):
    log = (
        "app.py:1:8: DEP003 'nox' imported but it is a transitive dependency\n"
        "pyproject.toml: DEP002 'requests' defined as a dependency but not used in the codebase\n"
        "Found 2 dependency issues.\napp.py:2:1: E302 expected 2 blank lines\n"
    )
    told = {one.parser.tool: (one.counted, [failure.name for failure in one.failures]) for one in read(log)}
    assert told["deptry"] == (2, ["DEP003 app.py:1:8", "DEP002 pyproject.toml requests"])
    assert told["flake8"][1] == ["E302 app.py:2:1"]


def test_a_long_block_keeps_the_total():
    """The total was not read behind 40 lines of one block, so that a lost finding was not noticed."""
    snippet = "".join(f"{n:3} |     x = {n}\n" for n in range(60))
    log = f"E501 Line too long\n --> m.py:1:8\n  |\n{snippet}  |\n\nFound 2 errors.\n"
    reader = LogReader(LITERALS)
    reader.feed(log.encode())
    (told,) = reader.finish()
    assert (len(told.failures), told.counted) == (1, 2)


def test_a_group_of_a_notebook_has_cells():
    """ruff 0.15 printed it."""
    log = "n.ipynb:\n  cell 2:1:8 F401 [*] `os` imported but unused\n\nFound 1 error.\n"
    reader = LogReader(LITERALS)
    reader.feed(log.encode())
    (told,) = reader.finish()
    assert ([one.name for one in told.failures], told.counted) == (["F401 n.ipynb:1:8"], 1)


def test_the_rules_of_ruffs_statistics_are_read(read):
    log = "2\tI001\t[*] unsorted-imports\n1\t\t[ ] invalid-syntax\n1\tF821\t[ ] undefined-name\nFound 4 errors.\n"
    assert [one.name for tale in read(log) for one in tale.failures] == ["I001", "invalid-syntax", "F821"]


def test_the_files_whose_format_ruff_prints_as_a_difference_are_read(read):
    log = "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x=1\n+x = 1\n\n1 file would be reformatted, 2 files already formatted\n"
    assert [one.name for tale in read(log) for one in tale.failures] == ["format a.py"]


def test_a_difference_that_something_else_prints_is_not_ruffs(read):
    log = "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x=1\n+x = 1\n--- b.py\n1 file would be reformatted\n"
    assert not [one for tale in read(log) for one in tale.failures]


PYREFLY = {
    "full": "ERROR Cannot find module `nowhere` [missing-import]\n --> a.py:8:8\n  |\n8 | import nowhere\n",
    "short": "ERROR a.py:8:8-15: Cannot find module `nowhere` [missing-import]\n",
}


@pytest.mark.parametrize("text", PYREFLY.values(), ids=PYREFLY)
@pytest.mark.parametrize("count", [1, 3])
def test_errors_of_pyrefly_are_told_and_what_it_counts_beyond_is_a_gap(text, count):
    report = ci_failures.parse(f"{text} INFO {count} errors (2 suppressed)\n".encode())
    assert [(one.tool, one.name, one.message) for one in report.failures] == [
        ("pyrefly", "missing-import a.py:8:8", "Cannot find module `nowhere`")
    ]
    assert bool(report.gaps) == (count > 1)
