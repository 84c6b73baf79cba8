"""Many reports become one entry for each failed test: never one for each job, source, parent, wrapper or repetition."""

import json

from attrs import evolve

import ci_failures
from ci_failures.failure_merging import disagreement, merge
from ci_failures.model import Failure
from ci_failures.name_matching import words
from ci_failures.source_reports import SourceReport

SIGN = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
NODE_ID = "tests/a.py::TestA::test_x[1 - 2]"


def failure(name=NODE_ID, tool="pytest", message="assert 1 == 2", **more):
    return Failure(tool=tool, name=name, message=message, **more)


def log(*failures, check="unit", counted=None):
    return SourceReport(source="log", check=check, job=check, failures=failures, counted=counted)


def artifact(*failures, check="CI"):
    return SourceReport(source="artifact", origin="junit.zip/junit.xml", check=check, failures=failures)


def names(*reports):
    return [one.failure.name for one in merge(reports)]


def test_a_test_that_fails_in_three_jobs_is_one_with_the_jobs():
    (one,) = merge([log(failure(), check=f"unit (3.{minor})") for minor in (11, 12, 13)])
    assert [report.check for report in one.reports] == ["unit (3.11)", "unit (3.12)", "unit (3.13)"]


def test_the_same_name_in_two_places_are_two():
    assert len(merge([log(failure(tool="surefire", place="a"), failure(tool="surefire", place="b"))])) == 2


def test_a_case_of_junit_and_a_node_id_are_one():
    case = failure("tests.a.TestA.test_x[1 - 2]", tool="junit", message="assert 1 == 2\n +  where 1 = f()")
    (one,) = merge([artifact(case), log(failure(log_line=7, selector=NODE_ID))])
    assert (one.failure.name, one.failure.selector, one.failure.log_line) == (NODE_ID, NODE_ID, 7)
    assert one.failure.message.endswith("where 1 = f()")
    assert one.sources == ("artifact", "log")


def test_it_does_not_matter_which_comes_first():
    case, told = artifact(failure("tests.a.TestA.test_x[1 - 2]", tool="junit")), log(failure())
    assert [one.failure.name for one in merge([told, case])] == [NODE_ID] == names(case, told)


def test_a_title_without_its_file_is_found_by_its_end():
    told = log(failure(f"src/a.test.js {SIGN} Auth {SIGN} login {SIGN} rejects", tool="jest"))
    assert len(merge([artifact(failure("Auth login rejects", tool="jest")), told])) == 1


def test_an_end_that_fits_two_joins_none():
    told = [failure(f"{file}.test.js {SIGN} Auth {SIGN} rejects", tool="jest") for file in "ab"]
    assert len(merge([artifact(failure("Auth rejects", tool="jest")), log(*told)])) == 3


def test_one_word_is_anybodys():
    told = log(failure(f"a.test.js {SIGN} Auth {SIGN} works", tool="jest"))
    assert len(merge([artifact(failure("works", tool="jest")), told])) == 2


def test_a_place_tells_what_names_do_not():
    at = {"tool": "rspec", "file": "spec/a_spec.rb", "line": 5}
    assert names(artifact(failure("Auth rejects", **at)), log(failure("./spec/a_spec.rb:4", **at))) == [
        "./spec/a_spec.rb:4"
    ]


def test_a_method_of_a_report_is_the_cases_of_it_that_a_log_tells():
    cases = [failure(f"p.T#sums[{number}]", tool="surefire") for number in (1, 2)]
    assert names(artifact(failure("p.T#sums", tool="surefire")), log(*cases)) == ["p.T#sums[1]", "p.T#sums[2]"]


def test_sections_of_a_report_are_the_test_that_a_log_tells():
    sections = [failure(f"sums/is wrong/{which}", tool="catch2") for which in ("here", "there")]
    assert names(artifact(*sections), log(failure("sums", tool="catch2"))) == ["sums"]


def test_result_files_of_a_tool_that_is_not_told_join_those_of_one_that_is():
    files = artifact(failure("p.T.adds", tool="junit")), artifact(failure("p.T#adds", tool="surefire"))
    assert names(*files) == ["p.T#adds"]


def test_two_tools_are_never_joined():
    assert len(merge([artifact(failure("a b", tool="jest")), log(failure("a b", tool="mocha"))])) == 2


def test_a_parent_without_words_of_its_own_is_left_out():
    parent, child = failure("p.TestA", tool="go", message=""), failure("p.TestA/sub", tool="go")
    assert names(log(parent, child)) == ["p.TestA/sub"]
    assert names(log(evolve(parent, message="the parent failed, too"), child)) == ["p.TestA", "p.TestA/sub"]


def test_a_name_that_only_begins_alike_is_no_parent():
    assert len(merge([log(failure("p.TestA", tool="go", message=""), failure("p.TestAll", tool="go"))])) == 2


def test_a_test_of_ctest_is_left_out_for_that_of_gtest_inside():
    outer = log(failure("S.F", tool="ctest", log_line=3))
    assert names(outer, log(failure("S.F", tool="gtest", log_line=9))) == ["S.F"]
    assert merge([outer, log(failure("S.F", tool="gtest"))])[0].failure.tool == "gtest"


def test_a_prefix_of_ctest_is_no_other_test():
    outer = artifact(failure("found.S.F", tool="ctest"), check="unit")
    assert names(outer, evolve(artifact(failure("S.F", tool="gtest")), check="unit")) == ["S.F"]


def test_a_program_under_ctest_with_a_name_of_its_own_stays():
    outer = log(failure("unit_tests", tool="ctest", log_line=3))
    assert names(outer, log(failure("S.F", tool="gtest", log_line=9))) == ["unit_tests", "S.F"]


def test_ctest_in_another_job_stays():
    reports = log(failure("S.F", tool="ctest"), check="a"), log(failure("S.F", tool="gtest"), check="b")
    assert len(merge(reports)) == 2


def test_a_flaky_test_and_one_that_failed_in_another_job_are_told_apart():
    merged = merge([log(failure(flaky=True), check="a"), log(failure(), check="b")])
    assert [(one.failure.flaky, one.reports[0].check) for one in merged] == [(True, "a"), (False, "b")]


def test_counts_that_disagree_lower_the_confidence():
    report = log(failure(), counted=5)
    assert merge([report])[0].confidence == "medium"
    assert disagreement(report) == "unit: the tool itself counts 5 failures, and 1 were read"
    assert merge([log(failure(), counted=1)])[0].confidence == "high"


def test_a_result_file_makes_sure():
    assert merge([log(failure(confidence="medium")), artifact(failure())])[0].confidence == "high"


def test_the_first_place_with_a_line_wins():
    placed = failure(file="tests/a.py", line=3)
    (one,) = merge([artifact(failure(file="tests/a.py")), log(placed)])
    assert (one.failure.file, one.failure.line) == ("tests/a.py", 3)


def test_kinds_are_told_apart():
    assert len(merge([log(failure("a b", kind="compile")), artifact(failure("a b"))])) == 2


def test_forms_of_a_name_have_the_same_words():
    assert words(NODE_ID) == words("tests.a.TestA test_x[1 - 2]") == ("tests", "a", "TestA", "test_x", "1", "2")


def test_ten_thousand_failures_of_each_source_are_merged():
    rows = [failure(f"tests/a.py::test_{number}") for number in range(10_000)]
    cases = [failure(f"tests.a.test_{number}", tool="junit") for number in range(10_000)]
    assert len(merge([log(*rows), artifact(*cases)])) == 10_000


def test_an_example_of_rspec_is_known_by_its_description():
    told = log(failure("./spec/a_spec.rb:4", tool="rspec", title="spec/a_spec.rb Account adds"))
    case = artifact(failure("spec/a_spec.rb Account adds", tool="rspec", file="lib/a.rb", line=7))
    assert names(case, told) == names(told, case) == ["./spec/a_spec.rb:4"]


def test_cases_that_differ_in_signs_alone_are_told_apart():
    told = log(*(failure(f"t.py::test_op[{sign}]", message=f"of {sign}") for sign in "+-*"))
    cases = artifact(*(failure(f"t.test_op[{sign}]", tool="junit", message=f"of {sign}") for sign in "+-*"))
    assert [(one.failure.name[-2], one.failure.message) for one in merge([cases, told])] == [
        (sign, f"of {sign}") for sign in "+-*"
    ]


def module(name, **fields):
    origin = f"reports.zip/{name}/target/surefire-reports/TEST-p.T.xml"
    return evolve(artifact(failure("p.T#adds", tool="surefire", message=name, **fields)), origin=origin)


def test_tests_of_one_name_in_the_files_of_two_modules_are_two():
    merged = merge([module("api"), module("services/web")])
    assert [(one.failure.place, one.failure.message) for one in merged] == [("api", "api"), ("services/web",) * 2]


def test_each_is_joined_to_that_of_its_own_module():
    told = log(*(failure("p.T#adds", tool="surefire", place=name, message="") for name in ("web", "api")))
    merged = merge([module("api"), module("services/web"), told])
    assert {one.failure.place: one.failure.message for one in merged} == {"web": "services/web", "api": "api"}


def test_a_module_alone_with_a_name_has_it_from_the_log_only():
    (one,) = merge([module("api", selector="test=p.T#adds"), module("api", selector="test=p.T#adds")])
    assert (one.failure.place, one.failure.selector) == ("", "test=p.T#adds")


def test_that_a_package_was_not_built_is_what_its_errors_say():
    errors = [failure(f"b/b.go:{row}:1", tool="go", kind="compile", place="ex.org/b") for row in (4, 7)]
    package = failure("ex.org/b", tool="go", kind="compile", place="ex.org/b", message="Failed")
    assert names(artifact(package), log(*errors)) == ["b/b.go:4:1", "b/b.go:7:1"]


def test_a_parent_of_a_result_file_that_repeats_its_child_is_left_out():
    parent, child = failure("p.TestA", tool="go", message="panic: x\nits stack"), failure("p.TestA/sub", tool="go")
    assert names(artifact(parent), log(evolve(child, message="panic: x"))) == ["p.TestA/sub"]
    assert len(names(log(parent, evolve(child, message="panic: x")))) == 2


def test_packages_may_have_one_name_of_what_is_covered():
    """The lines of the last one counted for all, so that what explains it hid the failure of another package."""
    head = f"mypy{'.' * 69}Failed\n- hook id: mypy\n- exit code: 1\n\n"
    silent, loud = head + "out of luck\n\n", head + 'm.py:1: error: Name "x" is not defined  [name-defined]\n'
    loud += "Found 1 error in 1 file (checked 1 source file)\n\n"
    lines = "".join(
        f"{name}:test: {line}\n" for name, text in (("a", silent), ("b", loud)) for line in text.splitlines()
    )
    report = ci_failures.parse(f"a:test: begins\nb:test: begins\n{lines}".encode())
    told = [(one.failure.tool, one.failure.place) for one in report.entries]
    assert sorted(told) == [("mypy", "b"), ("pre-commit", "a")]


def gradle(name, **more):
    return failure(name, "gradle", **more)


def test_a_case_of_gradle_whose_file_leaves_its_method_out_is_one():
    found = names(log(gradle("CasesTest.sums(int) > [1] a")), artifact(gradle("org.example.CasesTest.[1] a")))
    assert found == ["CasesTest.sums(int) > [1] a"]


def test_a_title_of_a_case_may_contain_the_sign_between_titles():
    assert len(names(log(gradle("ATest.m() > 1 > 0")), artifact(gradle("p.ATest.1 > 0")))) == 1


def test_cases_of_two_methods_with_one_title_are_one_case_of_the_file():
    told = log(gradle("ATest.one() > x"), gradle("ATest.two() > x"))
    assert names(told, artifact(gradle("p.ATest.x"))) == ["ATest.one() > x", "ATest.two() > x"]


def test_a_case_of_a_class_in_another_package_is_another():
    assert len(names(log(gradle("p.ATest.m() > x")), artifact(gradle("q.ATest.x")))) == 2


def test_of_a_path_that_a_log_shortens_the_end_shows_the_place():
    told = gradle("ATest$In.when it rains > wet", file="ATest.java", line=9)
    filed = gradle("p.ATest$In$Deep.wet", file="p/ATest.java", line=9)
    assert len(names(log(told), artifact(filed))) == 1
    assert len(names(log(told), artifact(evolve(filed, file="p/AnATest.java")))) == 2


def test_without_a_trace_a_log_has_the_outer_class_of_a_nested_one():
    told, filed = failure("p.ATest#wet", "surefire"), failure("p.ATest$In#wet", "surefire")
    assert names(log(told), artifact(filed)) == ["p.ATest#wet"]


def test_files_of_an_old_surefire_are_known_by_mavens_folder(tmp_path):
    (tmp_path / "TEST-p.ATest.xml").write_text(
        '<testsuite tests="1" failures="1" name="p.ATest"><properties><property name="java.vm.name" value="x"/>'
        '<property name="maven.home" value="/usr/share/maven"/></properties><testcase classname="p.ATest" name="adds">'
        '<failure type="x">java.lang.AssertionError: no\n\tat org.junit.Assert.fail(Assert.java:9)'
        "</failure></testcase></testsuite>",
        encoding="utf-8",
    )
    (one,) = ci_failures.parse_files([tmp_path / "TEST-p.ATest.xml"]).failures
    assert (one.tool, one.name) == ("surefire", "p.ATest#adds")


def test_examples_of_rspec_in_one_place_are_told_apart_by_their_ids():
    """As a shared example that is included twice."""
    shared = {"status": "failed", "file_path": "./spec/shared.rb", "line_number": 4, "exception": {"message": "no"}}
    examples = [
        {**shared, "id": f"./spec/a_spec.rb[1:{n}:1]", "full_description": f"A begins with {n}"} for n in (1, 2)
    ]
    document = {"version": "3.12.0", "examples": examples, "summary": {"failure_count": 2}}
    report = ci_failures.parse(json.dumps(document).encode())
    assert [one.name for one in report.failures] == ["./spec/a_spec.rb[1:1:1]", "./spec/a_spec.rb[1:2:1]"]
