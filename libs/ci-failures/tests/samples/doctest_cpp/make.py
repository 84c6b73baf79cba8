"""Runs doctest on the samples, and keeps what it prints with the truth of its own XML. Needs Debian's doctest-dev."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from native import CLEAN, compiled, doctest_rows, keep, project, run

CASES = {
    "plain": (),
    "colour": ("--force-colors=true",),
    "successes": ("--success=true",),
    "durations": ("--duration=true",),
    "random": ("--order-by=rand", "--rand-seed=7"),
    "no-path": ("--no-path-filenames=true",),
    "gnu": ("--gnu-file-line=true",),
    "no-breaks": ("--no-line-numbers=true",),
    "some": ("--test-case=*sums*,throws*,section*",),
    "abort": ("--abort-after=3",),
    "no-intro": ("--no-intro=true", "--no-version=true"),
}


def main():
    folder = project("doctest_cpp")
    sums, crash, fine = (compiled(folder, f"{name}.cpp") for name in ("sums", "crash", "fine"))
    for case, options in CASES.items():
        plain = [one for one in options if "color" not in one and "line-numbers" not in one]
        xml = subprocess.run([sums, *plain, "-r=xml"], cwd=folder, env=CLEAN, capture_output=True, timeout=60).stdout
        failures = list(doctest_rows(xml.decode()))
        if case == "no-breaks":
            failures = [{key: row[key] for key in ("tool", "kind", "name")} for row in failures]
        keep(f"doctest_cpp/{case}", run(folder, sums, *options), folder, "doctest's XML", failures)
    keep(
        "doctest_cpp/fine", run(folder, fine), folder, "doctest's XML", list(doctest_rows(run(folder, fine, "-r=xml")))
    )
    log = run(folder, "bash", "-c", f"{crash}; {fine}")
    names = ["fails first", "dies"]
    codes = {
        name: subprocess.run([crash, f"--test-case={name}"], cwd=folder, capture_output=True).returncode
        for name in names
    }
    failures = [{"tool": "doctest", "kind": "test", "name": name} for name in names if codes[name]]
    keep("doctest_cpp/crash", log, folder, "each test alone", failures)


if __name__ == "__main__":
    main()
