"""Runs RSpec on the sample, and keeps what it prints with the truth of a formatter beside it.

Needs Debian's ruby-rspec and ruby-fuubar.
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import CI, keep, project, run

ERROR = re.compile(
    r"An error occurred (?:while loading (?P<file>\S+)\.(?: - Did you mean\?)?$|in an? `(?P<hook>.+?)` hook)",
    re.MULTILINE,
)
PLACE = re.compile(r"^# \./(\S+\.rb):(\d+):", re.MULTILINE)


def truth(result):
    told = json.loads(result.read_text(encoding="utf-8"))
    for one in told["failures"]:
        at = re.match(r"\./(.+):(\d+)$", one["id"]) or re.match(r"(.+?):(\d+):", one["frame"] or "")
        place = {"file": at[1], "line": int(at[2])} if at else {}
        yield {"tool": "rspec", "kind": "test", "name": one["id"]} | place
    for message in told["errors"]:
        found, at = ERROR.search(message), PLACE.search(message)
        place = {"file": at[1], "line": int(at[2])} if at else {}
        if found["file"]:
            yield {"tool": "rspec", "kind": "compile", "name": found["file"]} | place
        else:
            yield {"tool": "rspec", "kind": "test", "name": f"{found['hook']} hook ./{at[1]}:{at[2]}"} | place


def case(name, *options, env=CI, terminal=False, reporter="progress", times=1):
    folder = project("rspec/project", "rspec")
    result = folder.parent / "rspec-truth.json"
    tale = ("-r", str(Path(__file__).with_name("truth.rb")), "--format", "Truth", "--out", "/dev/null")
    env = env | {"STITHY_TRUTH": str(result), "LC_ALL": "C.UTF-8"}
    words = ("rspec", "-I", "spec", *tale, "--format", reporter, *options)
    log = "".join(run(folder, *words, env=env, terminal=terminal) for _ in range(times))
    keep(f"rspec/{name}", log, folder, "RSpec's own list of failed examples, same run", truth(result))


if __name__ == "__main__":
    case("progress")
    case("documentation", reporter="documentation")
    case("colour", "--force-color", reporter="documentation")
    case("terminal", "--profile", terminal=True, env={})
    case("random", "--order", "random:7", "--warnings")
    case("backtrace", "--backtrace", "spec/nested")
    case("fail-fast", "--fail-fast=2")
    case("broken", "--pattern", "broken/*_spec.rb")
    case("hooked", "--pattern", "hooked/*_spec.rb", reporter="documentation")
    case("no-suite", "--pattern", "hooked/*_spec.rb", env=CI | {"NO_SUITE": "1"})
    case("failures-only", "spec/account_spec.rb[1:8:1,1:9:1]", reporter="documentation")
    case("twice", "spec/nested", times=2)
    case("at-once", "-r", "fuubar", "spec/nested", "quoted/quoted_spec.rb", reporter="Fuubar")
    case("quoted", "--pattern", "quoted/*_spec.rb")
    case("fine", "spec/fine_spec.rb")
    case("pending", "--pattern", "pending/*_spec.rb")
    case("did-you-mean", "spec/acount_spec.rb")
    case("dry", "--dry-run", reporter="documentation")
