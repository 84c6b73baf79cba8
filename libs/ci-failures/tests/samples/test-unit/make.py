"""Runs test-unit on the sample, and keeps what it prints with the faults that it has itself.

Needs Debian's ruby-test-unit.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import CI, keep, project, run


def truth(result):
    for name, frame in json.loads(result.read_text(encoding="utf-8")).items():
        place = {"file": frame.split(":")[0], "line": int(frame.split(":")[1])} if frame else {}
        yield {"tool": "test-unit", "kind": "test", "name": name} | place


def case(name, *options, terminal=False):
    folder = project("test-unit", "test-unit")
    result = folder.parent / "test-unit-truth.json"
    words = ("ruby", "-r", str(Path(__file__).with_name("truth.rb")), "test/test_cart.rb", *options)
    log = run(folder, *words, env=CI | {"STITHY_TRUTH": str(result)}, terminal=terminal)
    keep(f"test-unit/{name}", log, folder, "the faults of test-unit itself, same run", truth(result))


if __name__ == "__main__":
    case("plain")
    case("verbose", "-v")
    case("listed", "--no-show-detail-immediately")
