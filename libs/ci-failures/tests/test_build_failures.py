"""What Maven and Ant say of a build that failed; the causes are read by other parsers."""

import pytest

DEPLOY = "org.apache.maven.plugins:maven-deploy-plugin:2.7:deploy (default-deploy) on project shop"
MAVEN = "[INFO] BUILD FAILURE\n[INFO] Total time: 9.9 s\n[ERROR] {} -> [Help 1]\n[ERROR] \n"


def parse(read, log):
    return [(one.tool, one.kind, one.name, one.message) for tale in read(log) for one in tale.failures]


def test_a_goal_that_failed_is_told_with_the_reason(read):
    (found,) = parse(read, MAVEN.format(f"Failed to execute goal {DEPLOY}: Failed to deploy: no access"))
    name = "goal failed: maven-deploy-plugin:2.7:deploy (default-deploy) on project shop"
    assert found == ("maven", "compile", name, "Failed to deploy: no access")


def test_a_goal_is_not_told_beside_what_made_it_fail(read):
    error = "[ERROR] /repo/src/main/java/A.java:[3,5] cannot find symbol\n"
    log = error + MAVEN.format("Failed to execute goal x:maven-compiler-plugin:3.1:compile (c) on project shop: no")
    assert [found[0] for found in parse(read, log)] == ["javac"]


def test_a_project_that_cannot_be_read_is_told_with_what_is_wrong(read):
    log = (
        "[ERROR] The build could not read 1 project -> [Help 1]\n[ERROR]   \n"
        "[ERROR]   The project org.example:shop:1 (/repo/pom.xml) has 1 error\n"
        "[ERROR]     'dependencies.dependency.version' is missing. @ line 12, column 17\n"
        "[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.\n"
    )
    ((tool, _, name, message),) = parse(read, log)
    assert (tool, name) == ("maven", "The build could not read 1 project")
    assert message.endswith("is missing. @ line 12, column 17")


def test_the_innermost_place_of_a_build_of_ant_is_told(read):
    log = (
        "BUILD FAILED\n/builds/a/b/build.xml:9: The following error occurred while executing this line:\n"
        "/builds/a/b/sub/build.xml:52: Java returned: 1\n\nTotal time: 21 seconds\n"
    )
    assert parse(read, log) == [("ant", "compile", "sub/build.xml:52", "Java returned: 1")]


@pytest.mark.parametrize(
    "said", ['Target "test" does not exist in the project "x".', "Buildfile: b.xml does not exist!"]
)
def test_what_ant_cannot_begin_is_told(read, said):
    ((tool, _, name, _),) = parse(read, f"\nBUILD FAILED\n{said}\n\nTotal time: 0 seconds\n")
    assert (tool, name) == ("ant", said.rstrip("."))


def test_a_machine_without_memory_for_java_is_told(read):
    said = "# There is insufficient memory for the Java Runtime Environment to continue."
    assert [found[:2] for found in parse(read, f"#\n{said}\n")] == [("java", "out_of_memory")]
