"""What Gradle says went wrong, of a task that no other parser reports."""

DEPRECATED = """\
You can use '--warning-mode all' to show the individual deprecation warnings and determine if they come from your own.

For more on this, please refer to https://docs.gradle.org/8.14.2/userguide/command_line_interface.html in Gradle's.
18 actionable tasks: 18 executed
> Task :CordovaLib:processDebugManifest
"""


def parse(read, log):
    return [one for tale in read(log) for one in tale.failures]


def test_output_of_the_other_stream_between_the_causes_is_not_theirs(read):
    """A runner merges the lines of both streams; the message was the hint on deprecated features."""
    log = (
        "FAILURE: Build failed with an exception.\n\nDeprecated Gradle features were used in this build.\n"
        f"* What went wrong:\n\nExecution failed for task ':app:merge'.\n{DEPRECATED}> A failure occurred\n"
        "   > Resource compilation failed\n     Message: x\n\n* Try:\n> Run with --stacktrace\n"
    )
    (one,) = parse(read, log)
    assert one.message.splitlines() == [
        "Execution failed for task ':app:merge'.",
        "> A failure occurred",
        "   > Resource compilation failed",
        "     Message: x",
    ]


def test_other_output_before_the_task_is_not_its_message(read):
    (one,) = parse(read, "* What went wrong:\nOther output.\n\nExecution failed for task ':app:x'.\n> no\n\n* Try:\n")
    assert (one.name, one.message) == ("task :app:x", "Execution failed for task ':app:x'.\n> no")


def test_causes_behind_an_empty_line_belong_to_the_message(read):
    log = (
        "* What went wrong:\nExecution failed for task ':app:checkReleaseAarMetadata'.\n"
        "> 2 issues were found when checking AAR metadata:\n\n    1.  Dependency 'a:b:1' requires plugin 8.9.1.\n\n"
        "Other output.\nBUILD FAILED in 2m\n  no cause\n"
    )
    (one,) = parse(read, log)
    assert one.message.splitlines()[2:] == ["    1.  Dependency 'a:b:1' requires plugin 8.9.1."]


def test_a_failure_in_another_step_does_not_replace_the_task(read):
    """Of a log of two jobs, only the compiler's error in the first was told."""
    step = "##[group]Run make\nmake\n##[endgroup]\n"
    error = "src/a.c:3:5: error: unknown type name 'x'\nmake: *** [Makefile:2: all] Error 1\n"
    ended = "##[error]Process completed with exit code 2.\n"
    wrong = "* What went wrong:\nExecution failed for task ':app:check'.\n> no\n\n* Try:\n"
    apart = parse(read, f"{step}{error}{ended}{step}{wrong}{ended}")
    assert "task :app:check" in {one.name for one in apart}
    assert "task :app:check" not in {one.name for one in parse(read, f"{step}{error}{wrong}{ended}")}
