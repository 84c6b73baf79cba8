"""Runs the harnesses of Meson and of Automake on programs that fail, and keeps what they print.

The truth is the JSON file of Meson, and the `.trs` files that Automake writes for each test. Needs Debian's meson,
ninja-build, autoconf and automake.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from native import keep, project, run

NINJA = ("ninja", "-C", "build", "test")
BAD = ("FAIL", "XPASS", "ERROR")


def meson(folder):
    """Give what failed, as Meson's own log of results has it."""
    for line in (folder / "build/meson-logs/testlog.json").read_text(encoding="utf-8").splitlines():
        result = json.loads(line)
        if result["result"] in {"FAIL", "ERROR", "TIMEOUT", "UNEXPECTEDPASS"}:
            kind = "timeout" if result["result"] == "TIMEOUT" else "test"
            yield {"tool": "meson", "kind": kind, "name": result["name"]}


def automake(folder):
    """Give what failed, as the files of each test have it."""
    for path in sorted(folder.rglob("*.trs")):
        words = [line.split(maxsplit=2) for line in path.read_text().splitlines()]
        if any(word[0] == ":global-test-result:" and word[1] in BAD for word in words if len(word) > 1):
            yield {"tool": "automake", "kind": "test", "name": str(path.relative_to(folder).with_suffix(""))}


def main():
    folder = project("harnesses")
    run(folder, "meson", "setup", "build")
    run(folder, "ninja", "-C", "build")
    for case, words in {"test": ("meson", "test", "-C", "build", "--print-errorlogs"), "ninja": NINJA}.items():
        text = run(folder, *words)
        keep(f"meson/{case}", text, folder, "Meson's testlog.json", meson(folder))
    run(folder, "autoreconf", "-i")
    run(folder, "./configure")
    for case, env in {"check": {}, "verbose": {"VERBOSE": "1"}}.items():
        text = run(folder, "make", "check", "-j2", env=env)
        keep(f"automake/{case}", text, folder, "Automake's .trs files", automake(folder))


if __name__ == "__main__":
    main()
