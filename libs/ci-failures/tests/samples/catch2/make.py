"""Runs Catch2 on the samples, and keeps what it prints with the truth of its own XML. Needs Debian's catch2."""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from native import CLEAN, catch2_rows, compiled, keep, project, run

CASES = {
    "plain": (),
    "colour": ("--use-colour", "yes"),
    "successes": ("-s", "~prints*"),
    "durations": ("-d", "yes"),
    "random": ("--order", "rand", "--rng-seed", "7"),
    "some": ("[long],throws*",),
    "abort": ("-x", "3"),
}


def main():
    folder = project("catch2")
    sums, crash, fine = (compiled(folder, f"{name}.cpp") for name in ("sums", "crash", "fine"))
    for case, options in CASES.items():
        log = run(folder, sums, *options)
        xml = subprocess.run(
            [sums, *options[: 0 if case == "colour" else None], "-r", "xml"],
            cwd=folder,
            env=CLEAN,
            capture_output=True,
            timeout=60,
        ).stdout.decode()
        keep(f"catch2/{case}", log, folder, "Catch2's XML", list(catch2_rows(xml, folder)))
    keep(
        "catch2/fine",
        run(folder, fine),
        folder,
        "Catch2's XML",
        list(catch2_rows(run(folder, fine, "-r", "xml"), folder)),
    )
    log = run(folder, "bash", "-c", crash)
    names = re.findall(r"^  (\S.*)$", run(folder, crash, "--list-tests"), re.MULTILINE)
    alone = {
        name: subprocess.run([crash, name], cwd=folder, capture_output=True, timeout=60).returncode for name in names
    }
    ran = names[: 1 + next(index for index, name in enumerate(names) if alone[name] < 0)]
    failures = [{"tool": "catch2", "kind": "test", "name": name} for name in ran if alone[name]]
    keep("catch2/crash", log, folder, "each test alone", failures)


if __name__ == "__main__":
    main()
