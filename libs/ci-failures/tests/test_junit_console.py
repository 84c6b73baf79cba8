"""What is particular of JUnit's console launcher; the kept logs are read by test_logs.py."""

from ci_failures.parsers.jvm.junit_console import JUnitConsole

SOURCE = "    MethodSource [className = 'org.example.ATest', methodName = '{}', methodParameterTypes = '{}']\n"
TITLE = "  JUnit Jupiter:{}\n" + SOURCE
FRAMES = "    => java.lang.AssertionError: no\n       org.example.ATest.a(ATest.java:9)\n       [...]\n"


def failures(read, *blocks):
    text = f"Failures ({len(blocks)}):\n{''.join(blocks)}\nTest run finished after 9 ms\n"
    return [one for tale in read(text) if tale.parser is JUnitConsole for one in tale.failures]


def test_a_method_with_parameters_is_selected_by_their_types(read):
    (found,) = failures(read, TITLE.format("ATest:a(int, String):[2] x: y", "a", "int, java.lang.String") + FRAMES)
    assert (found.name, found.selector) == (
        "org.example.ATest#a(int, String)[2]",
        "org.example.ATest#a(int, java.lang.String)",
    )


def test_the_place_is_a_frame_of_the_class(read):
    (found,) = failures(read, TITLE.format("ATest:a()", "a", "") + FRAMES)
    assert (found.message, found.file, found.line) == ("java.lang.AssertionError: no", "org/example/ATest.java", 9)


def test_a_class_that_cannot_be_set_up_is_named_itself(read):
    title = "  JUnit Jupiter:ATest\n    ClassSource [className = 'org.example.ATest', filePosition = null]\n"
    assert [one.name for one in failures(read, title + FRAMES)] == ["org.example.ATest"]


def test_a_message_may_look_like_a_title(read):
    block = (
        TITLE.format("ATest:a()", "a", "") + "    => java.lang.AssertionError: one\n  JUnit Jupiter:two\n" + FRAMES[35:]
    )
    (found,) = failures(read, block)
    assert (found.name, found.line) == ("org.example.ATest#a", 9)


def test_a_list_of_failures_of_another_tool_is_none(read):
    assert failures(read, "  1) adds\n    => no\n") == []


def test_under_ant_each_line_has_a_mark(read):
    block = TITLE.format("ATest:a()", "a", "") + FRAMES
    marked = "".join(f"    [junit] {line}" for line in f"Failures (1):\n{block}".splitlines(keepends=True))
    (found,) = [one for tale in read(marked) if tale.parser is JUnitConsole for one in tale.failures]
    assert (found.name, found.message, found.line) == ("org.example.ATest#a", "java.lang.AssertionError: no", 9)


FED = "JUnit Jupiter > {} :: FAILED\n\tjava.lang.AssertionError: no\n{}"
FRAME = "\t\tat org.example.{}({}.java:9)\n"


def list_failures(read, text):
    return [one for tale in read(text) if tale.parser is JUnitConsole for one in tale.failures]


def test_a_fed_test_has_the_package_that_other_exceptions_show(read):
    """A test that is inherited has no frame of its own class."""
    own = FED.format("ATest > a()", FRAME.format("ATest.a", "ATest"))
    text = FED.format("ATest > b()", FRAME.format("Base.b", "Base")) + own
    assert [one.name for one in list_failures(read, text)] == ["org.example.ATest#b", "org.example.ATest#a"]


def test_a_fed_test_may_have_a_long_display_name(read):
    title = f"ATest > adds(Map) > [1] {'x' * 800}"
    (found,) = list_failures(read, FED.format(title, FRAME.format("ATest.adds", "ATest")))
    assert found.line == 9


def test_a_line_of_many_titles_takes_no_endless_time(read):
    """A pattern with repeated groups took twice the time for each further title."""
    assert not list_failures(read, FED.format("x" + " > x" * 60 + "y" * 3_000, ""))


def test_a_fed_test_with_a_display_name_has_the_method_of_its_outermost_frame(read):
    frames = FRAME.format("ATest.check", "ATest") + FRAME.format("ATest.adds", "ATest")
    (found,) = list_failures(read, FED.format("ATest > adds two numbers", frames))
    assert (found.name, found.line) == ("org.example.ATest#adds", 9)


def test_an_assumption_that_does_not_hold_is_no_failure_of_flat_output(read):
    test = "Finished:    {} ([engine:junit-jupiter]/[class:org.example.ATest]/[method:{}])\n"
    aborted = test.format("a()", "a()") + "             => Exception: org.opentest4j.TestAbortedException: not here\n"
    failed = test.format("b(int)", "b(int)") + "             => Exception: java.lang.Error: no\n"
    assert [one.name for one in list_failures(read, aborted + failed)] == ["org.example.ATest#b(int)"]


def test_a_type_within_a_class_is_shown_without_it(read):
    """The reports have `a(Kind)[2]`."""
    (found,) = failures(read, TITLE.format("ATest:a(Kind):[2] B", "a", "org.example.ATest$Kind") + FRAMES)
    assert (found.name, found.selector) == (
        "org.example.ATest#a(Kind)[2]",
        "org.example.ATest#a(org.example.ATest$Kind)",
    )


def test_a_fed_test_in_a_nested_class_may_fail_in_the_set_up_of_the_class_around_it(read):
    (found,) = list_failures(
        read, FED.format("ATest > when paid > Twice > a()", FRAME.format("ATest$Paid.pay", "ATest"))
    )
    assert found.name == "org.example.ATest$Paid$Twice#a"
