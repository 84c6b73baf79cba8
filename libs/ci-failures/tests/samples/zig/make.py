"""Runs Zig's tests and compiler on the sample, from PyPI's package of it; the truth is a run of each test alone."""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from pypi import CI, ROOT, keep, project, run, venv

TESTS = re.compile(r'^test "(.+?)"', re.MULTILINE)
ENV = {**CI, "ZIG_GLOBAL_CACHE_DIR": str(ROOT / "zig-cache")}


def each_alone(folder, zig):
    """Give the tests that fail when they are run alone."""
    source = folder / "src" / "till.zig"
    for title in TESTS.findall(source.read_text(encoding="utf-8")):
        alone = [*zig, "test", source, "--test-filter", title]
        done = subprocess.run([str(word) for word in alone], cwd=folder, capture_output=True, timeout=180)
        if done.returncode:
            yield {"tool": "zig", "kind": "test", "name": f"till.test.{title}"}


def cases(version):
    zig = [venv(f"zig-{version}", "3.11", f"ziglang=={version}.*") / "python", "-m", "ziglang"]
    short = version.replace(".", "")
    folder = project("zig", f"zig-{version}")
    truth = list(each_alone(folder, zig))
    told = f"a run of each test alone with Zig {version}"
    keep(f"zig/test-{short}", run(folder, *zig, "test", "src/till.zig", env=ENV), folder, told, truth)
    run(folder, *zig, "init", env=ENV)
    with (folder / "src" / "root.zig").open("a", encoding="utf-8") as root:
        root.write('\ntest {\n    _ = @import("till.zig");\n}\n')
    keep(f"zig/build-test-{short}", run(folder, *zig, "build", "test", env=ENV), folder, told, truth)
    error = {"tool": "zig", "kind": "compile", "name": "error src/broken.zig:4:18", "file": "src/broken.zig", "line": 4}
    log = run(folder, *zig, "test", "src/broken.zig", env=ENV)
    keep(f"zig/errors-{short}", log, folder, "the error that was made", [error])


if __name__ == "__main__":
    for release in ("0.13", "0.17"):
        cases(release)
