"""What JUnit 4's own runner prints."""

from ci_failures.parsers.jvm.junit_text import JUnitText

LIST = """.E.
Time: 0.5
There were 2 failures:
1) adds[two words](org.example.SumTest)
java.lang.AssertionError: expected:<3> but was:<2>
\tat org.junit.Assert.fail(Assert.java:89)
\tat org.example.SumTest.adds(SumTest.java:7)
2) org.example.DbTest
java.lang.IllegalStateException: no database
\tat org.example.DbTest.open(DbTest.java:4)

FAILURES!!!
Tests run: 4,  Failures: 2
"""


def failures(read, text):
    return [one for tale in read(text) if tale.parser is JUnitText for one in tale.failures]


def test_its_list_names_tests_and_classes(read):
    first, second = failures(read, LIST)
    assert (first.name, first.message) == (
        "org.example.SumTest#adds[two words]",
        "java.lang.AssertionError: expected:<3> but was:<2>",
    )
    assert (first.file, first.line, second.name) == ("org/example/SumTest.java", 7, "org.example.DbTest")


def test_the_list_of_another_tool_is_none(read):
    assert failures(read, LIST.replace("Tests run: 4,  Failures: 2", "Tests: 4, Failures: 2")) == []


def test_the_list_of_junit_3_under_ant_is_read(read):
    log = (
        "    [junit] There was 1 failure:\n"
        '    [junit] 1) testAdds(org.example.SumTest)junit.framework.AssertionFailedError: Expected "x"\n'
        "    [junit] \n    [junit] 1) No such thing\n    [junit] \tat org.example.SumTest.testAdds(SumTest.java:9)\n"
        "    [junit] FAILURES!!!\n    [junit] Tests run: 8,  Failures: 1,  Errors: 0\n"
    )
    (one,) = (one for tale in read(log) for one in tale.failures)
    assert (one.tool, one.name, one.line) == ("junit", "org.example.SumTest#testAdds", 9)
    assert one.message.startswith('junit.framework.AssertionFailedError: Expected "x"')
