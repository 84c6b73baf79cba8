"""What is particular to golangci-lint."""

import pytest

from ci_failures.model import Failure
from ci_failures.parsers.go_rust import GolangciLint


def names(read, log):
    return [one.name for tale in read(log) for one in tale.failures]


@pytest.mark.parametrize(
    "line",
    [
        "a/f.go:42:21: Error return value is not checked (errcheck)",
        "##[error]a/f.go:42:21: Error return value is not checked (errcheck)",
        "a/f.go:42:21  errcheck  Error return value is not checked",
        "::error file=a/f.go,line=42,col=21::Error return value is not checked (errcheck)",
    ],
)
def test_an_issue_is_named_by_its_linter_and_place(line, read):
    assert names(read, f"{line}\n") == ["errcheck a/f.go:42:21"]


def test_the_linter_may_stand_below_a_message_of_several_lines(read):
    log = (
        "##[error]a/f.go:9:1: unused parameter (unparam)\n##[error]a/f.go:46:1: paramTypeCombine: func(\n\tname string,"
        "\n\tkind string,\n) error could be replaced with func(\n\tname, kind string,\n) error (gocritic)\n"
    )
    assert names(read, log) == ["unparam a/f.go:9:1", "gocritic a/f.go:46:1"]


def test_an_annotation_that_lost_its_place_is_named_by_what_it_says(read):
    log = "##[error]Error return value of `f` is not checked (errcheck)\n##[error]Process completed with exit code 1.\n"
    (one,) = [one for tale in read(log) for one in tale.failures]
    assert (one.name, one.file, one.confidence) == ("errcheck Error return value of `f` is not checked", "", "medium")


def test_a_line_that_only_looks_like_an_issue_is_none(read):
    assert not names(read, "a/f.go:42:21: retrying once more (attempt)\n")


def test_a_custom_linter_counts_if_the_summary_names_it(read):
    log = "golangci-lint run ./...\na/f.go:42:21: not our way (acme)\n1 issues:\n* acme: 1\n"
    assert names(read, log) == ["acme a/f.go:42:21"]


def test_what_the_compiler_says_is_an_issue_each(read):
    log = "a/f.go:1: : # ex.org/a\na/f.go:5:26: cannot use x\na/f.go:7:16: undefined: y (typecheck)\npackage a\n"
    assert names(read, log) == ["typecheck a/f.go:5:26", "typecheck a/f.go:7:16"]


def test_it_runs_again_on_the_folders_of_its_issues():
    some = [
        Failure(tool="golangci-lint", kind="lint", name=file, file=file) for file in ("a/f.go", "a/g.go", "main.go")
    ]
    assert GolangciLint.rerun(some) == "golangci-lint run ./a ."


def test_errors_of_the_compiler_in_an_annotation_without_a_place_have_their_own(read):
    log = "##[error]: # ex.org/a\n##[error]a/f.go:5:26: cannot use x\n##[error]a/f.go:7:16: undefined: y (typecheck)\n"
    assert names(read, log) == ["typecheck a/f.go:5:26", "typecheck a/f.go:7:16"]
