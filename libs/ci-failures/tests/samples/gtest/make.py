"""Runs gtest on the samples, and keeps what it prints with the truth of its JSON; for a crash, of each test alone."""

import json
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from native import CLEAN, compiled, keep, project, run

CASES = {
    "plain": (),
    "colour": ("--gtest_color=yes",),
    "brief": ("--gtest_brief=1", "--gtest_filter=-Decoys.*:Broken.*"),  # it prints no names that these need
    "no-time": ("--gtest_print_time=0",),
    "shuffled": ("--gtest_shuffle", "--gtest_random_seed=7"),
    "filtered": ("--gtest_filter=Sums.*:*Words*-*Named*",),
    "all-disabled-too": ("--gtest_also_run_disabled_tests",),
    "fail-fast": ("--gtest_fail_fast",),
    "threadsafe": ("--gtest_death_test_style=threadsafe",),
}


def rows(result, broken=()):
    """Take what failed from the JSON of gtest, and of its suites those whose own set-up is broken."""
    for suite in json.loads(result.read_text(encoding="utf-8"))["testsuites"]:
        if suite["name"] in broken:
            yield {"tool": "gtest", "kind": "test", "name": f"{suite['name']}: SetUpTestSuite or TearDownTestSuite"}
        for test in suite["testsuite"]:
            if "failures" not in test:
                continue
            row = {"tool": "gtest", "kind": "test", "name": f"{suite['name']}.{test['name']}"}
            first = test["failures"][0]["failure"].splitlines()[0]
            if found := re.fullmatch(r"(.+):(\d+)", first):
                row |= {"file": found[1], "line": int(found[2])}
            yield row


def ran(folder, program, *options, broken=(), env=None):
    """Run a program, and give what it printed and what its JSON says."""
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    log = run(folder, program, *options, f"--gtest_output=json:{result}", env=env)
    return log, list(rows(result, broken))


def suites_broken(folder, program):
    """Find suites that fail without a test that fails: the JSON is silent on their set-up, the exit code is not."""
    listed = run(folder, program, "--gtest_list_tests").splitlines()[1:]
    for suite in (line.split(".")[0] for line in listed if not line.startswith(" ")):
        command = [program, f"--gtest_filter={suite}.*", "--gtest_output=json:suite.json"]
        code = subprocess.run(command, cwd=folder, env=CLEAN, capture_output=True, timeout=60).returncode
        if code and not list(rows(folder / "suite.json")):
            yield suite


def alone(folder, program):
    """Run each test of a program alone, up to the first that ends it by a signal; the truth of a crash."""
    suite = ""
    for line in run(folder, program, "--gtest_list_tests").splitlines()[1:]:
        if not line.startswith(" "):
            suite = line.strip()
            continue
        command = [program, f"--gtest_filter={suite}{line.strip()}"]
        code = subprocess.run(command, cwd=folder, capture_output=True, timeout=60).returncode
        if code:
            yield {"tool": "gtest", "kind": "test", "name": f"{suite}{line.strip()}"}
        if code < 0:
            return


def main():
    folder = project("gtest")
    libraries = ("-lgtest_main", "-lgtest", "-lpthread")
    sums, crash, fine = (compiled(folder, f"{name}.cc", *libraries) for name in ("sums", "crash", "fine"))
    broken = set(suites_broken(folder, sums))
    for case, options in CASES.items():
        log, failures = ran(folder, sums, *options, broken=broken if case != "fail-fast" else ())
        keep(f"gtest/{case}", log, folder, "gtest's JSON", failures)
    shards = [{"GTEST_TOTAL_SHARDS": "2", "GTEST_SHARD_INDEX": str(index)} for index in range(2)]
    parts = [ran(folder, sums, broken=broken, env=shard) for shard in shards]
    both = [row for _, failures in parts for row in failures]
    keep("gtest/sharded", "".join(log for log, _ in parts), folder, "gtest's JSON", both)
    log, failures = ran(folder, fine)
    keep("gtest/fine", log, folder, "gtest's JSON", failures)
    script = f"{crash}; {fine}"
    keep("gtest/crash", run(folder, "bash", "-c", script), folder, "each test alone", list(alone(folder, crash)))


if __name__ == "__main__":
    main()
