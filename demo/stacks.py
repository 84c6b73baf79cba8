"""A section of the demo: a stack whose base was squashed, put in order by the advice, and a conflict before its merge.

git makes the repository in a folder that goes afterwards; the forge is the one on the loopback that the tests have.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from demo.host import Answer, Host, served, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from git_forge import AUTHOR, Workshop, git, serving  # type: ignore[import-not-found]
from stack_cases import Stack  # type: ignore[import-not-found]

BASE, LATER, OTHER = (f"hearth/bellows#{number}" for number in (1, 2, 3))
OWN = [("Sound a bell", {"bell.py": "RING = True\n"}), ("Ring it twice", {"bell.py": "RING = 2\n"})]


async def stacks(host: Host) -> None:
    """Squash the base of a stack, show the advice, execute it, and show what it came to; then find a conflict."""
    host.title("A stack whose base was squashed: the advice, executed; and a conflict, found before the merge")
    with tempfile.TemporaryDirectory(prefix="stithy-demo-") as name:
        folder = Path(name)
        shop = Workshop(folder / "served", "hearth/bellows")
        build(Stack(shop))
        with serving(folder / "served", shop) as forge:
            (folder / "stithy.toml").write_text(settings(forge.url), encoding="utf-8")
            environ = {"STITHY_CONFIG": str(folder / "stithy.toml"), "XDG_CACHE_HOME": name}
            async with served(environ, folder) as smithy:
                advice = await smithy.call("manage_stacked_prs", base_pr=BASE, dependent_pr=LATER, auto_fix=False)
                conflict = await smithy.call("detect_merge_conflicts", pr=OTHER)
        judge(host, advice, conflict)
        execute(host, folder, shop, advice)


def build(stack: Any) -> None:
    """Make a base of three commits that is squashed, a pull request on it, and one that conflicts with main."""
    stack.grow(1, "pump", "main", *((f"Pump, take {take}", {"pump.py": f"STROKES = {take}\n"}) for take in (1, 2, 3)))
    stack.grow(2, "bell", "pump", *OWN)
    stack.grow(3, "valve", "main", ("Add a valve", {"pump.py": "STROKES = 9\n"}), mergeable=False)
    stack.squash(1, "pump", "A pump")


def judge(host: Host, advice: Answer, conflict: Answer) -> None:
    """Hold the answers against what was done."""
    strategy = advice.data.get("rebase_strategy", {})
    host.expect(advice.data.get("squash_merge") is True, "the squash is recognised")
    host.expect(strategy.get("recommended") == "onto", "--onto is recommended")
    host.expect(conflict.data.get("has_conflicts") is True, "the conflict is found")
    paths = [row.get("file_path") for row in conflict.data.get("conflicts", [])]
    host.expect(paths == ["pump.py"], "and its file is named")


def execute(host: Host, folder: Path, shop: Any, advice: Answer) -> None:
    """Run the git steps in a fresh clone, and show what the branch came to."""
    git(folder, "clone", "-q", str(shop.bare), "clone")
    for step in advice.data.get("commands", []):
        if step["type"] == "git":
            ran = subprocess.run(
                ["/bin/sh", "-c", step["command"]],
                cwd=folder / "clone",
                env={**os.environ, **AUTHOR},
                capture_output=True,
                text=True,
                check=False,
            )
            host.expect(ran.returncode == 0, f"step {step['step']} runs in a fresh clone: {ran.stderr.strip()}")
    left = git(shop.bare, "log", "--reverse", "--format=%s", "main..bell").splitlines()
    host.say("\n".join(["$ git log --reverse --format=%s main..bell", *left]))
    host.expect(
        left == [subject for subject, _ in OWN], "the branch has the author's own commits on main, and no others"
    )
