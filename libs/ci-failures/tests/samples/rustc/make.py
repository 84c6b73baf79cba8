"""Run cargo check, clippy and others on the sample, and keep their logs.

The truth is what the compiler says as JSON in a second run. Usage: make.py [CASE …]
Needs cargo with clippy, and an old one (CARGO_OLD, such as /usr/bin/cargo, with RUSTC_OLD).
"""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import CI, keep, project, run

CARGO, OLD = "cargo", os.environ.get("CARGO_OLD", "/usr/bin/cargo")
OLD_RUST = CI | {"RUSTC": os.environ.get("RUSTC_OLD", "/usr/bin/rustc"), "CARGO_TARGET_DIR": "target/old"}
DENIED = CI | {"RUSTFLAGS": "-D warnings", "CARGO_TARGET_DIR": "target/denied"}


def truth(folder, cargo, env, words):
    """Give the errors of the same command, as JSON."""
    flags = (
        [*words[: words.index("--")], "--message-format=json", *words[words.index("--") :]]
        if "--" in words
        else [*words, "--message-format=json"]
    )
    for line in run(folder, cargo, *flags, env=env, errors=False).splitlines():
        event = json.loads(line) if line.startswith("{") else {}
        message = event.get("message", {})
        if event.get("reason") == "compiler-message" and message["level"] == "error" and message["spans"]:
            span = next(one for one in message["spans"] if one["is_primary"])
            code = (message["code"] or {}).get("code", "")
            tool, kind = (
                "clippy" if code.startswith("clippy::") else "rustc",
                "compile" if code[:1] in {"E", ""} else "lint",
            )
            place = f"{span['file_name']}:{span['line_start']}:{span['column_start']}"
            row = {"tool": tool, "kind": kind, "name": f"{code} {place}".strip()}
            yield row | {"file": span["file_name"], "line": span["line_start"]}


def main(wanted):
    folder = project("rustc", "rustc")
    clippy = ["clippy", "-p", "linted", "--all-targets", "--", "-D", "warnings"]
    cases = {
        "rustc/check": (CARGO, CI, ["check"]),
        "rustc/colours": (CARGO, CI | {"CARGO_TERM_COLOR": "always"}, ["check"]),
        "rustc/tests": (CARGO, CI, ["test", "--workspace", "--no-run"]),
        "rustc/verbose": (CARGO, CI, ["build", "-v", "--all-targets", "--keep-going"]),
        "rustc/denied": (CARGO, DENIED, ["check", "-p", "linted", "--all-targets"]),
        "rustc/rust1.63": (OLD, OLD_RUST, ["check"]),
        "rustc/warnings": (CARGO, CI, ["check", "-p", "linted"]),
        "clippy/denied": (CARGO, CI, clippy),
        "clippy/colours": (CARGO, CI | {"CARGO_TERM_COLOR": "always"}, clippy),
        "clippy/pedantic": (CARGO, CI, ["clippy", "-p", "linted", "--", "-W", "clippy::pedantic", "-D", "clippy::all"]),
        "clippy/default": (CARGO, CI, ["clippy", "-p", "linted"]),
    }
    for case, (cargo, env, words) in cases.items():
        if not wanted or case in wanted:
            if cargo == OLD:
                (folder / "Cargo.lock").unlink(missing_ok=True)
            text = run(folder, cargo, *words, env=env)
            keep(case, text, folder, "--message-format=json, a second run", truth(folder, cargo, env, words))
            if cargo == OLD:
                (folder / "Cargo.lock").unlink(missing_ok=True)


if __name__ == "__main__":
    main(set(sys.argv[1:]))
