"""Run cargo test and cargo nextest on the sample, and keep their logs with their truth.

The truth of cargo test is what the test binaries themselves say as JSON in a second run, that of nextest the JUnit file
of the same run. Usage: make.py [CASE …]
Needs cargo, an old one (CARGO_OLD, such as /usr/bin/cargo, with RUSTC_OLD), cargo-nextest on PATH, and version 0.9.78
of it (NEXTEST_OLD).
"""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import CI, keep, project, run

CARGO, OLD = "cargo", os.environ.get("CARGO_OLD", "/usr/bin/cargo")
PLAIN = CI | {"RUST_BACKTRACE": "0"}
STACKS = CI | {"RUST_BACKTRACE": "1"}
COLOURS = PLAIN | {"CARGO_TERM_COLOR": "always"}
OLD_RUST = PLAIN | {
    "RUSTC": os.environ.get("RUSTC_OLD", "/usr/bin/rustc"),
    "RUSTDOC": os.environ.get("RUSTDOC_OLD", "/usr/bin/rustdoc"),
    "CARGO_TARGET_DIR": "target/old",
}
JSON = ["--", "-Z", "unstable-options", "--format", "json"]
LISTED = ["--lib", "--test", "aborts", "--test", "overflows", "--test", "slow"]  # the other one lists no tests
TARGETS = {
    ("app", "--lib"): "app",
    ("app", "--bin", "tool"): "app::bin/tool",
    ("app", "--test", "fine"): "app::fine",
    ("app", "--test", "it"): "app::it",
    ("other-crate", "--lib"): "other-crate",
    ("other-crate", "--test", "it"): "other-crate::it",
    ("app", "--doc"): "app::doc",
}


WORKSPACE = {
    ("acme-core", "--lib"): "acme-core",
    ("acme-core", "--test", "compile"): "acme-core::compile",
    ("acme-core", "--doc"): "acme-core::doc",
    ("acme-api", "--lib"): "acme-api",
    ("acme-api", "--bin", "acme-server"): "acme-api::bin/acme-server",
    ("acme-api", "--test", "e2e"): "acme-api::e2e",
    ("acme-api", "--test", "smoke"): "acme-api::smoke",
    ("codegen", "--bin", "codegen"): "codegen::bin/codegen",
}


def events(folder, cargo, env, *words):
    """Give what libtest says as JSON."""
    text = run(folder, cargo, "test", *words, *JSON, env=env | {"RUSTC_BOOTSTRAP": "1"}, errors=False)
    said = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [one for one in said if one["type"] == "test"]


def truth(folder, cargo, env, targets):
    """Give what failed, as the binaries say, each run by itself."""
    for (package, *target), owner in targets.items():
        for event in events(folder, cargo, env, "-p", package, *target):
            if event["event"] == "failed":
                name = event["name"].removesuffix(" - should panic")
                yield {"tool": "cargo", "kind": "test", "name": f"{owner}::{name}".removeprefix("::")}


def tests(wanted):
    folder = project("cargo", "cargo")
    source = "libtest's --format json, each binary by itself"
    some = {key: owner for key, owner in TARGETS.items() if key[0] == "app"}
    first = {("app", "--lib"): "app"}
    unnamed = {("app", "--lib"): ""}  # its log does not tell the package
    every = ["--workspace", "--no-fail-fast"]
    cases = {
        "every": (CARGO, PLAIN, every, TARGETS),
        "backtraces": (CARGO, STACKS, ["--no-fail-fast"], some),
        "colours": (CARGO, COLOURS, every, TARGETS),
        "fail-fast": (CARGO, PLAIN, ["--workspace"], first),
        "quiet": (CARGO, PLAIN, ["-q", "--lib"], unnamed),
        "quiet-every": (CARGO, PLAIN, ["-q", *every], TARGETS),
        "one-thread": (CARGO, PLAIN, ["--lib", "--", "--test-threads=1"], first),
        "show-output": (CARGO, PLAIN, ["--lib", "--", "--show-output"], first),
        "nocapture": (
            CARGO,
            PLAIN,
            ["--test", "it", "--", "--nocapture", "--test-threads=1"],
            {("app", "--test", "it"): "it"},
        ),
        "verbose": (CARGO, PLAIN, ["-v", *every], TARGETS),
        "passing": (CARGO, PLAIN, ["--test", "fine"], {}),
        "rust1.63-every": (OLD, OLD_RUST, every, TARGETS),
        "rust1.63-backtraces": (OLD, OLD_RUST | {"RUST_BACKTRACE": "1"}, ["-p", "app", "--no-fail-fast"], some),
        "nightly": (
            CARGO,
            PLAIN | {"RUSTUP_TOOLCHAIN": "nightly", "CARGO_TARGET_DIR": "target/nightly"},
            every,
            TARGETS,
        ),
    }
    for case, (cargo, env, flags, targets) in cases.items():
        if not wanted or case in wanted:
            if cargo == OLD:
                (folder / "Cargo.lock").unlink(missing_ok=True)
            text = run(folder, cargo, "test", *flags, env=env)
            keep(f"cargo/{case}", text, folder, source, truth(folder, cargo, env, targets))
            if cargo == OLD:
                (folder / "Cargo.lock").unlink(missing_ok=True)


def workspace(wanted):
    """Keep logs of a workspace that uses the libraries of others: proptest, rstest, insta, trybuild, tokio, eyre."""
    folder = project("workspace", "workspace")
    every = ["--workspace", "--no-fail-fast"]
    cases = {"workspace": (PLAIN, every), "workspace-nocapture": (PLAIN, [*every, "--", "--nocapture"])}
    for case, (env, flags) in cases.items():
        if not wanted or case in wanted:
            text = run(folder, CARGO, "test", *flags, env=env)
            source = "libtest's --format json, each binary by itself"
            keep(f"cargo/{case}", text, folder, source, truth(folder, CARGO, PLAIN, WORKSPACE))


def formatted(wanted):
    """Keep what `cargo fmt --check` says; its truth is the list of files that rustfmt gives in another format."""
    if not wanted or "formatted" in wanted:
        folder = project("workspace", "workspace")
        text = run(folder, CARGO, "fmt", "--all", "--", "--check")
        listed = run(folder, CARGO, "fmt", "--all", "--", "--check", "-l").split()
        files = [str(Path(one).relative_to(folder)) for one in listed if one.endswith(".rs")]
        facts = [{"tool": "rustfmt", "kind": "lint", "name": f"rustfmt {file}"} for file in files]
        keep("rustfmt/workspace", text, folder, "rustfmt -l", facts)


def crashes(wanted):
    folder = project("cargo/crash", "crash")
    for case, test in {"aborts": "", "overflows": "::overflows"}.items():
        if not wanted or case in wanted:
            (folder / f"tests/{case}.rs").touch()  # what is compiled names the package
            text = run(folder, CARGO, "test", "--test", case, env=PLAIN)
            begun = events(folder, CARGO, PLAIN, "--test", case)
            stopped = [one["name"] for one in begun if one["event"] == "started"]
            facts = [
                {"tool": "cargo", "kind": "test", "name": f"crash::{case}{test and '::' + name}"} for name in stopped
            ]
            keep(f"cargo/{case}", text, folder, "libtest's --format json: what began and did not end", facts)


def custom(wanted):
    if not wanted or "custom" in wanted:
        folder = project("cargo/crash", "crash")
        (folder / "tests/custom.rs").touch()
        text = run(folder, CARGO, "test", "--test", "custom", env=PLAIN)
        run(folder, CARGO, "test", "--test", "custom", "--no-run", env=PLAIN)
        binary = max((folder / "target/debug/deps").glob("custom-*[0-9a-f]"), key=lambda one: one.stat().st_mtime)
        failed = subprocess.run([binary], stdout=subprocess.DEVNULL, timeout=60).returncode
        facts = [{"tool": "cargo", "kind": "test", "name": "crash::custom"}] if failed else []
        keep("cargo/custom", text, folder, "the exit status of the binary, run by itself", facts)


def junit(path):
    """Give what failed in a JUnit file of nextest."""
    for suite in ET.parse(path).getroot().iter("testsuite"):
        for case in suite.iter("testcase"):
            failed = case.find("failure") if case.find("failure") is not None else case.find("error")
            if failed is not None:
                timeout = "timeout" in (failed.get("type") or "") or "timed out" in (failed.get("message") or "")
                yield {
                    "tool": "nextest",
                    "kind": "timeout" if timeout else "test",
                    "name": f"{suite.get('name')} {case.get('name')}",
                }


NO_FAIL_FAST, EVERY = "--no-fail-fast", ["--workspace", "--no-fail-fast"]
NEXTEST = {
    "every": ("cargo", PLAIN, EVERY),
    "backtraces": ("cargo", STACKS, [NO_FAIL_FAST]),
    "colours": ("cargo", COLOURS, EVERY),
    "fail-fast": ("cargo", PLAIN, ["--workspace", "--test-threads=1"]),
    "final": ("cargo", PLAIN, [*EVERY, "--failure-output=final", "--status-level=none"]),
    "immediate-final": ("cargo", PLAIN, [NO_FAIL_FAST, "--failure-output=immediate-final", "--success-output=final"]),
    "no-capture": ("cargo", PLAIN, [NO_FAIL_FAST, "--no-capture", "-E", "not test(says_much)"]),
    "quiet": ("cargo", PLAIN, [*EVERY, "--failure-output=never", "--final-status-level=fail"]),
    "verbose": ("cargo", PLAIN, [*EVERY, "--status-level=all", "--final-status-level=all", "-v"]),
    "passing": ("cargo", PLAIN, ["--test", "fine"]),
    "crashes": ("cargo/crash", PLAIN, [NO_FAIL_FAST, *LISTED]),
    "retried": ("cargo/crash", PLAIN, [NO_FAIL_FAST, "--profile", "retried", *LISTED]),
    "workspace": ("workspace", PLAIN, EVERY),
    "leaky": ("cargo/crash", PLAIN, [NO_FAIL_FAST, "--profile", "leaky", "--test", "slow"]),
}
OLD_NEXTEST = ("every", "backtraces", "final", "crashes", "retried", "workspace")


def nextest(wanted, program=(CARGO,), cases=tuple(NEXTEST), name="nextest", leaky="leaky"):
    """Keep logs of nextest; `leaky` is the profile that old versions can not read."""
    for case in cases:
        if not wanted or f"{name}-{case}" in wanted:
            sample, env, flags = NEXTEST[case]
            folder = project(sample, sample.rpartition("/")[2])
            (folder / "target/been-here").unlink(missing_ok=True)
            _configure(folder / ".config/nextest.toml", leaky)
            text = run(folder, *program, "nextest", "run", *flags, env=env)
            profile = flags[flags.index("--profile") + 1] if "--profile" in flags else "default"
            facts = junit(folder / f"target/nextest/{profile}/junit.xml")
            kept = f"{name.removeprefix('nextest')}-{case}".removeprefix("-")
            keep(f"nextest/{kept}", text, folder, "JUnit of nextest", facts)


def _configure(config, leaky):
    """Let every profile write a JUnit file."""
    config.parent.mkdir(exist_ok=True)
    before = config.read_text() if config.exists() else ""
    before = before if leaky else before.partition("[profile.leaky]")[0]
    profiles = [one for one in ("default", "retried", "leaky") if one == "default" or f"[profile.{one}]" in before]
    config.write_text(before + "".join(f'\n[profile.{one}.junit]\npath = "junit.xml"\n' for one in profiles))


if __name__ == "__main__":
    chosen = set(sys.argv[1:])
    tests(chosen)
    crashes(chosen)
    custom(chosen)
    workspace(chosen)
    formatted(chosen)
    nextest(chosen)
    if old := os.environ.get("NEXTEST_OLD"):
        nextest(chosen, program=(old,), cases=OLD_NEXTEST, name="nextest0.9.78", leaky="")
