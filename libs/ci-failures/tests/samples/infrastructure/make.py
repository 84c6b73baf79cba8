"""Write tests/logs/infrastructure: asks package managers for what is not to be had, and lets processes be killed.

The truth is the cause: what was asked for, or how the process ended, as `subprocess` says it; npm's code is taken from
`npm --json`, in a second run. Usage: make.py [CASE …]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LOGS = Path(__file__).parents[2] / "logs" / "infrastructure"
ROOT = Path(tempfile.mkdtemp(prefix="infrastructure-")).resolve()
NOBODY = "nobody-made-this-package-of-stithy"
CI_ROOT = "/home/runner/work/app/app"
CI = {"CI": "true", "GITHUB_ACTIONS": "true", "TERM": "dumb"}
HOST = re.compile(r"https?://[^/\s'\")<>,]+")
OURS = re.compile(r"^(?:Looking in |npm warn Unknown user config ).*\n", re.MULTILINE)
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>org.example</groupId><artifactId>calc</artifactId><version>1</version><packaging>jar</packaging>
<dependencies><dependency><groupId>org.example.nobody</groupId><artifactId>made-this</artifactId><version>1</version>
</dependency></dependencies></project>
"""
CARGO = '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n'
HEAP = "public class Heap { public static void main(String[] a) { var l = new java.util.ArrayList<long[]>();\n"
HEAP += "while (true) { l.add(new long[1 << 20]); } } }\n"
FULL = "const kept = []; while (true) { kept.push(new Array(1e6).fill(kept.length)); }\n"
SUICIDE = """package main

import (
	"os"
	"syscall"
)

func main() { syscall.Kill(os.Getpid(), 9) }
"""
RUST_SUICIDE = """#[test] fn dies() {
    std::process::Command::new("kill").args(["-9", &std::process::id().to_string()]).status().unwrap();
}
"""
GO_MOD = "module example.com/app\n\ngo 1.20\n"


def folder(name, **files):
    place = ROOT / name
    for path, text in {"README": "", **files}.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text, encoding="utf-8")
    return place


def run(place, *command):
    done = subprocess.run(
        command, cwd=place, env=os.environ | CI, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=400, check=False,
    )  # fmt: skip
    assert done.returncode, f"{command} did not fail"
    return done.stdout.decode("utf-8", "replace"), done.returncode


def keep(case, log, source, row):
    LOGS.mkdir(parents=True, exist_ok=True)
    text = HOST.sub("https://packages.example", log.replace(str(ROOT), CI_ROOT))
    text = OURS.sub("", text.replace(str(Path.home()), "/home/runner"))
    (LOGS / f"{case}.log").write_text(text, encoding="utf-8")
    truth = {"from": source, "failures": [dict(zip(("tool", "kind", "name"), row, strict=True))]}
    (LOGS / f"{case}.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")


def pip():
    place = folder("pip")
    subprocess.run([sys.executable, "-m", "venv", place / "venv"], check=True)
    log, _ = run(place, place / "venv/bin/python", "-m", "pip", "install", f"{NOBODY}==9.9")
    keep("pip", log, "what was asked for", ("pip", "dependency", f"no matching distribution: {NOBODY}==9.9"))
    log, _ = run(place, place / "venv/bin/python", "-m", "pip", "install", "attrs==24.2.0", "attrs==23.1.0")
    keep(
        "pip-conflict", log, "what was asked for", ("pip", "dependency", "conflicting: attrs==23.1.0 and attrs==24.2.0")
    )


def npm():
    react = {"react": "16.0.0", "react-dom": "18.2.0"}
    wanted = {"absent": {NOBODY: "1.0.0"}, "no-version": {"left-pad": "99.0.0"}, "peers": react}
    for case, dependencies in wanted.items():
        place = folder(f"npm-{case}", **{"package.json": json.dumps({"dependencies": dependencies})})
        log, _ = run(place, "npm", "install")
        told, _ = run(place, "npm", "install", "--json", "--loglevel=silent")
        code = json.loads(told[told.index("{") :])["error"]["code"]
        keep(f"npm-{case}", log, "npm --json, a second run", ("npm", "dependency", f"npm {code}"))
    place = folder("npm-ci", **{"package.json": json.dumps({"dependencies": react})})
    log, _ = run(place, "npm", "ci")
    told, _ = run(place, "npm", "ci", "--json", "--loglevel=silent")
    code = json.loads(told[told.index("{") :])["error"]["code"]
    keep("npm-ci", log, "npm --json, a second run", ("npm", "dependency", f"npm {code}"))


def maven():
    log, _ = run(folder("maven", **{"pom.xml": POM}), "mvn", "-B", "-ntp", "compile")
    keep("maven", log, "what was asked for", ("maven", "dependency", "unresolved: calc"))


def cargo():
    place = folder("cargo", **{"Cargo.toml": f'{CARGO}{NOBODY} = "1"\n', "src/lib.rs": ""})
    keep(
        "cargo", run(place, "cargo", "build")[0], "what was asked for", ("cargo", "dependency", f"not found: {NOBODY}")
    )
    place = folder("cargo-version", **{"Cargo.toml": f'{CARGO}libc = "99"\n', "src/lib.rs": ""})
    name = 'no version: libc = "^99"'
    keep("cargo-version", run(place, "cargo", "build")[0], "what was asked for", ("cargo", "dependency", name))


def cargo_killed():
    place = folder("cargo-killed", **{"Cargo.toml": CARGO, "src/lib.rs": RUST_SUICIDE})
    log = run(place, "cargo", "test", "--lib")[0]
    binary = re.search(r"\((target/debug/deps/calc-\w+)\)", log)[1]
    keep(
        "cargo-killed",
        log,
        "how it ended",
        ("cargo", "out_of_memory", f"killed: /home/runner/work/app/app/cargo-killed/{binary}"),
    )


def go():
    place = folder("go", **{"go.mod": GO_MOD, "main.go": "package main\n\nfunc main() {}\n"})
    log, _ = run(place, "go", "get", "example.com/nobody/made@v9.9.9")
    keep("go", log, "what was asked for", ("go", "dependency", "module example.com/nobody/made@v9.9.9"))


def go_killed():
    place = folder("go-killed", **{"go.mod": GO_MOD, "main.go": SUICIDE})
    keep("go-killed", run(place, "go", "run", ".")[0], "how it ended", ("go", "out_of_memory", "killed:"))


def node():
    log, _ = run(folder("node", **{"full.js": FULL}), "node", "--max-old-space-size=30", "full.js")
    keep("node", log, "how it ended", ("node", "out_of_memory", "JavaScript heap out of memory"))


def java():
    place = folder("java", **{"Heap.java": HEAP})
    log, _ = run(place, "java", "-Xmx32m", "Heap.java")
    keep("java", log, "how it ended", ("java", "out_of_memory", "java.lang.OutOfMemoryError Java heap space"))


def shell():
    place = folder("shell", **{"build.sh": "#!/bin/bash\necho building\nbash -c 'kill -9 $$'\nexit $?\n"})
    log, code = run(place, "bash", "build.sh")
    assert code == 128 + 9
    log += f"##[error]Process completed with exit code {code}.\n"
    keep("shell", log, "how it ended", ("runner", "out_of_memory", "killed: bash -c 'kill -9 $$'"))


def apt():
    log, _ = run(folder("apt"), "apt-get", "install", "-s", NOBODY)
    keep("apt", log, "what was asked for", ("apt", "dependency", f"not found: {NOBODY}"))


def bundler_gem(place, name, version, dependency=""):
    """Build a gem into a source in a folder."""
    lines = [f"s.name = '{name}'", f"s.version = '{version}'", "s.summary = 'a sample'", "s.authors = ['us']"]
    lines += [f"s.add_dependency 'alpha', '{dependency}'"] if dependency else []
    text = "Gem::Specification.new do |s|\n" + "\n".join(lines) + "\nend\n"
    (place / f"{name}.gemspec").write_text(text, encoding="utf-8")
    target = place / "gems" / f"{name}-{version}.gem"
    target.parent.mkdir(exist_ok=True)
    subprocess.run(["gem", "build", "--quiet", f"{name}.gemspec", "--output", target], cwd=place, check=True)


def bundler():
    """Ask Bundler for what a source in a folder does not have, and let it read broken files."""
    gems = folder("gems")
    for name, *rest in (("alpha", "1.0"), ("alpha", "2.0"), ("beta", "1.0", "~> 1.0"), ("gamma", "1.0", "~> 2.0")):
        bundler_gem(gems, name, *rest)
    subprocess.run(["gem", "generate_index", "--quiet", "--directory", gems], check=True)
    out_of_date = "Gemfile.lock is out of date"
    for case, lines, changed, name in (
        ("absent", ["gem 'alpha'", f"gem '{NOBODY}'"], "", f"not found: {NOBODY}"),
        ("no-version", ["gem 'alpha', '~> 9.0'"], "", "not found: alpha (~> 9.0)"),
        ("conflict", ["gem 'beta'", "gem 'gamma'"], "", "no compatible versions alpha"),
        ("syntax", ["group :test do", "  gem 'alpha'"], "", "not readable: Gemfile"),
        ("unknown-word", ["gme 'alpha'"], "", "not readable: Gemfile"),
        ("frozen", ["gem 'alpha', '1.0'"], "gem 'beta'\n", out_of_date),
        ("no-path", ["gem 'alpha', path: 'nowhere'"], "", f"no such path: {CI_ROOT}/bundler-no-path/nowhere"),
        ("no-command", [], "", f"no command: {NOBODY}"),
        ("check", ["gem 'alpha'"], "\n", "not installed"),
    ):
        text = "\n".join([f"source 'file://{gems}'", *lines, ""])
        place = folder(f"bundler-{case}", Gemfile=text)
        os.environ["BUNDLE_PATH"] = str(place / "vendor")
        if changed:
            subprocess.run(["bundle", "lock"], cwd=place, check=True)
            (place / "Gemfile").write_text(text + changed, encoding="utf-8")
            subprocess.run(["bundle", "config", "set", "--local", "frozen", "true"], cwd=place, check=True)
        words = {"no-command": ("exec", NOBODY), "check": ("check",)}.get(case, ("install",))
        log, _ = run(place, "bundle", *words)
        keep(f"bundler-{case}", log, "what was asked for", ("bundler", "dependency", name))


CASES = (pip, npm, maven, cargo, cargo_killed, go, go_killed, node, java, shell, apt, bundler)

if __name__ == "__main__":
    for make in CASES:
        if not sys.argv[1:] or make.__name__ in sys.argv[1:]:
            make()
    shutil.rmtree(ROOT)
