"""Builds of images and Terraform, beyond the logs of the samples; the form of BuildKit today is by its source."""

import pytest

import ci_failures

BUILDKIT = """\
#7 [build 3/4] COPY . .
#7 DONE 0.1s

#8 [build 4/4] RUN npm ci && npm test
#8 0.512 added 3 packages
{output}#8 ERROR: process "/bin/sh -c npm ci && npm test" did not complete successfully: exit code: 1
------
 > [build 4/4] RUN npm ci && npm test:
0.512 added 3 packages
0.900 it went wrong
------
docker/app.Dockerfile:4
--------------------
   2 |     WORKDIR /app
   3 |     COPY . .
   4 | >>> RUN npm ci && npm test
   5 |
--------------------
ERROR: failed to {build}solve: process "/bin/sh -c npm ci && npm test" did not complete successfully: exit code: 1
"""
GO = """\
#8 0.800 --- FAIL: TestTotal (0.00s)
#8 0.800     till_test.go:7: got 3
#8 0.800 FAIL
#8 0.801 FAIL\texample.com/till\t0.004s
"""
JOB = "##[group]Run docker build .\n##[endgroup]\n{}##[error]Process completed with exit code 1.\n"


def failures(log):
    return [(one.tool, one.kind, one.name, one.file, one.line) for one in ci_failures.parse(log.encode()).failures]


@pytest.mark.parametrize("build", ["", "build: failed to "])
def test_a_step_that_fails_has_the_place_in_the_dockerfile_and_its_last_lines(build):
    report = ci_failures.parse(JOB.format(BUILDKIT.format(output="", build=build)).encode())
    (one,) = report.failures
    assert one.name == "RUN npm ci && npm test docker/app.Dockerfile:4"
    assert (one.tool, one.kind, one.file, one.line) == ("docker", "compile", "docker/app.Dockerfile", 4)
    assert "0.900 it went wrong" in one.message


def test_a_test_that_fails_in_a_step_replaces_the_step():
    assert failures(BUILDKIT.format(output=GO, build="")) == [
        ("go", "test", "example.com/till.TestTotal", "till_test.go", 7)
    ]


@pytest.mark.parametrize("repeated", ["##[error]buildx failed with: ERROR: {}", "ERROR: {}", "{}"])
def test_a_build_that_repeats_its_last_line_is_one_failure(repeated):
    log = BUILDKIT.format(output="", build="build: failed to ")
    again = repeated.format(log.splitlines()[-1].removeprefix("ERROR: "))
    assert [row[2] for row in failures(f"{log}##[group]Reference\n##[endgroup]\n{again}\n")] == [
        "RUN npm ci && npm test docker/app.Dockerfile:4"
    ]


def test_errors_of_dotnet_in_a_step_are_told_once():
    error = "/app/src/Cart.cs(42,20): error CS0023: no [/app/src/Cart.csproj]\n"
    log = BUILDKIT.format(output=f"#8 0.800 {error}", build="").replace("0.900 it", f"0.800 {error}0.900 it")
    assert failures(log) == [("msbuild", "compile", "CS0023 src/Cart.cs:42:20", "src/Cart.cs", 42)]


def test_a_failure_before_the_build_does_not_replace_the_step():
    earlier = "src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n"
    assert [row[0] for row in failures(earlier + BUILDKIT.format(output="", build=""))] == ["tsc", "docker"]


@pytest.mark.parametrize(
    "line",
    [
        "ERROR: failed to solve: dockerfile parse error on line 2: unknown instruction: RUNN (did you mean RUN?)",
        "failed to solve with frontend dockerfile.v0: failed to create LLB: dockerfile parse error line 2: x",
        "Error response from daemon: dockerfile parse error line 2: unknown instruction: RUNN",
        "Error response from daemon: Dockerfile parse error line 2: unknown instruction: RUNN",
    ],
)
def test_a_dockerfile_that_cannot_be_parsed_is_told_by_its_line(line):
    assert failures(f"{line}\n") == [("docker", "compile", "dockerfile parse error line 2", "", None)]


def test_a_service_of_compose_that_is_not_built_is_told():
    line = 'target web: failed to solve: process "/bin/sh -c false" did not complete successfully: exit code: 1'
    ((tool, kind, name, *_),) = failures(f"{line}\n")
    assert (tool, kind) == ("docker", "compile")
    assert name.startswith('process "/bin/sh -c false" did not complete')


def test_a_build_that_succeeds_has_no_failure():
    assert failures("#8 [build 4/4] RUN npm test\n#8 0.5 failed to solve it at first\n#8 DONE 0.1s\n") == []


TERRAFORM = """\

Error: {summary}

  on network/main.tf line 12, in resource "aws_vpc" "a":
  12:   cidr_block = var.cidr

It is wrong.

{after}
"""


def test_an_error_without_a_box_ends_with_its_paragraph():
    (one,) = ci_failures.parse(TERRAFORM.format(summary="Invalid value", after="Something else").encode()).failures
    assert (one.name, one.file, one.line) == ("Invalid value network/main.tf:12", "network/main.tf", 12)
    assert one.message == "Invalid value\n  12:   cidr_block = var.cidr\n\nIt is wrong."


def test_an_error_of_a_resource_without_a_place_is_told_by_its_address():
    box = "╷\n│ Error: creating VPC: limit exceeded\n│ \n│   with module.net.aws_vpc.a,\n│ \n│ Ask for more.\n╵\n"
    assert failures(box) == [("terraform", "compile", "creating VPC: limit exceeded module.net.aws_vpc.a", "", None)]


def test_providers_that_cannot_be_downloaded_are_a_dependency():
    log = "Error: Failed to query available provider packages\n\nCould not retrieve the list of versions.\n"
    assert failures(f"{log}\nThe end\n") == [
        ("terraform", "dependency", "Failed to query available provider packages", "", None)
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Success! The configuration is valid.",
        "Success! 3 passed, 0 failed.",
        "Apply complete! Resources: 2 added, 0 changed, 0 destroyed.",
        "No changes. Your infrastructure matches the configuration.",
        "Plan: 2 to add, 0 to change, 0 to destroy.",
    ],
)
def test_terraform_proves_that_it_passed(line):
    assert ci_failures.parse(f"{line}\n".encode()).status == "passed"


def test_a_total_of_terraform_whose_tests_are_not_in_the_log_is_a_doubt():
    report = ci_failures.parse(b"Failure! 0 passed, 1 failed, 2 skipped.\n")
    assert (report.status, len(report.failures)) == ("unknown", 0)
    assert "terraform" in report.gaps[0]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("UPGRADE FAILED: timed out waiting for the condition", "timeout"),
        ("INSTALLATION FAILED: cannot re-use a name that is still in use", "compile"),
        ("An error occurred while checking for chart dependencies. You may need to run it", "dependency"),
        ("no cached repo found. (try 'helm repo update'): open /c/bitnami-index.yaml: no such file", "dependency"),
        ("no cached repository for helm-manager-5d1 found. (try 'helm repo update'): open a.yaml", "dependency"),
    ],
)
def test_the_error_by_which_helm_ends_is_told_by_its_kind(error, kind):
    assert failures(f"Release does not exist.\nError: {error}\n") == [("helm", kind, error, "", None)]


def test_a_finding_of_helm_in_a_folder_has_the_place_there():
    lint = (
        "==> Linting ./charts/web\n[ERROR] templates/: parse error at (app/templates/a.yaml:3): missing value for if\n"
    )
    ((*_, file, line),) = failures(f"{lint}\nError: 1 chart(s) linted, 1 chart(s) failed\n")
    assert (file, line) == ("charts/web/templates/a.yaml", 3)


def test_charts_that_failed_without_a_finding_in_the_log_are_a_doubt():
    assert ci_failures.parse(b"Error: 3 chart(s) linted, 2 chart(s) failed\n").status == "unknown"
    assert ci_failures.parse(b"3 chart(s) linted, 0 chart(s) failed\n").status == "passed"


DIFFERENCE = '--- old/{0}\n+++ new/{0}\n@@ -1,2 +1,2 @@\n variable "a" {{\n-type=string\n+  type = string\n'


@pytest.mark.parametrize(
    "end", ["Error: Terraform exited with code 3.", "##[error]Process completed with exit code 3."]
)
@pytest.mark.parametrize("difference", ["", DIFFERENCE])
def test_files_that_terraform_would_format_are_those_above_its_exit_code(read, end, difference):
    """It prints their names only, which alone mean nothing."""
    names = "".join(f"{file}\n{difference.format(file)}" for file in ("m/x.tf", "main.tfvars"))
    found = [one for tale in read(f"src/other.tf\nInitialized.\n{names}{end}\n") for one in tale.failures]
    assert [(one.name, one.file) for one in found if one.kind == "lint"] == [
        ("fmt m/x.tf", "m/x.tf"),
        ("fmt main.tfvars", "main.tfvars"),
    ]


def test_names_of_files_above_another_exit_code_are_no_failures(read):
    log = "main.tf\nError: Terraform exited with code 31.\nmain.tf\nProcess completed with exit code 1.\n"
    assert not [one for tale in read(log) for one in tale.failures if one.kind == "lint"]


PLAY = """\
TASK [web : Ask the old server] ************************************************
fatal: [app-1]: FAILED! => {"changed": false, "msg": "no answer"}
...ignoring

TASK [web : Start nginx] *******************************************************
fatal: [app-1]: FAILED! => {"changed": false, "msg": "Could not find the service \\"nginx\\""}
failed: [app-2] (item=nginx) => {"ansible_loop_var": "item", "item": "nginx", "msg": "no package nginx"}
fatal: [app-3]: FAILED! => changed=false
  ansible_facts: {}
  msg: the disk is full
fatal: [app-4]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect", "unreachable": true}

PLAY RECAP *********************************************************************
app-1                      : ok=3    changed=1    unreachable=0    failed=1    skipped=0    rescued=0    ignored=1
app-2                      : ok=3    changed=1    unreachable=0    failed=0    skipped=0    rescued=1    ignored=0
app-3                      : ok=3    changed=1    unreachable=0    failed=1    skipped=0    rescued=0    ignored=0
app-4                      : ok=3    changed=1    unreachable=1    failed=0    skipped=0    rescued=0    ignored=0
"""


def test_a_task_that_failed_on_a_host_is_a_failure_unless_it_is_ignored_or_rescued():
    found = ci_failures.parse(PLAY.encode()).failures
    assert {(one.tool, one.name): one.message for one in found} == {
        ("ansible", "web : Start nginx [app-1]"): 'Could not find the service "nginx"',
        ("ansible", "web : Start nginx [app-3]"): "the disk is full",
        ("ansible", "web : Start nginx [app-4]"): "Failed to connect",
    }


def test_a_task_that_failed_is_known_without_the_recap_and_in_one_line():
    cut = ci_failures.parse(PLAY[PLAY.index("TASK [web : Start") : PLAY.index("PLAY RECAP")].encode())
    assert len(cut.failures) == 4
    log = 'INFO     Running default > converge\ndb | SUCCESS => {}\ndb | FAILED! => {"msg": "no key"}\nCRITICAL 2\n'
    (one,) = ci_failures.parse(log.encode()).failures
    assert (one.name, one.place, one.confidence) == ("no key [db]", "db", "medium")
    (one,) = ci_failures.parse(log.replace("db |", "app-1 |").encode()).failures
    assert one.name == "no key"
