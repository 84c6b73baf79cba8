"""A section of the demo: a stack whose base was squashed, rebased by one command; and a merge conflict.

git creates the repository in a temporary folder; the forge is that of the tests, on the loopback.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from demo.host import Answer, Host, format_settings, run_server

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from git_forge import AUTHOR, Workshop, git, serving
from stack_cases import Stack

BASE, OTHER = (f"hearth/bellows#{number}" for number in (1, 3))
CHIME = ("Chime", {"chime.py": "TONES = 3\n"})
OWN = [("Sound a bell", {"bell.py": "RING = True\n"}), ("Ring it twice", {"bell.py": "RING = 2\n"})]


async def show_stack(host: Host) -> None:
    """Squash the base of a stack of three, find a conflict, and rebase the rest by one command."""
    host.title("A stack of three whose base was squashed: one command; and a conflict, found before the merge")
    with tempfile.TemporaryDirectory(prefix="stithy-demo-") as name:
        folder = Path(name)
        shop = Workshop(folder / "served", "hearth/bellows")
        build(Stack(shop))
        with serving(folder / "served", shop) as forge:
            (folder / "stithy.toml").write_text(format_settings(forge.url), encoding="utf-8")
            environ = {"STITHY_CONFIG": str(folder / "stithy.toml"), "XDG_CACHE_HOME": name}
            async with run_server(environ, folder) as server:
                advice = await server.call("manage_stacked_prs", base_pr=BASE, auto_fix=False)
                conflict = await server.call("detect_merge_conflicts", pr=OTHER)
            check_answers(host, advice, conflict)
            run_command(host, folder, shop)


def build(stack: Any) -> None:
    """Create a base of three commits that is squashed, two pull requests above it, and one that conflicts with main."""
    stack.grow(1, "pump", "main", *((f"Pump, take {take}", {"pump.py": f"STROKES = {take}\n"}) for take in (1, 2, 3)))
    stack.grow(2, "bell", "pump", *OWN)
    stack.grow(3, "valve", "main", ("Add a valve", {"pump.py": "STROKES = 9\n"}), mergeable=False)
    stack.grow(4, "chime", "bell", CHIME)
    stack.squash(1, "pump", "A pump")


def check_answers(host: Host, advice: Answer, conflict: Answer) -> None:
    """Compare the results with the repository that was built."""
    strategy = advice.data.get("rebase_strategy", {})
    host.expect(advice.data.get("squash_merge") is True, "the squash is recognised")
    host.expect(strategy.get("recommended") == "onto", "--onto is recommended")
    pushes = [row["command"] for row in advice.data.get("commands", []) if row["command"].startswith("git push")]
    host.expect(len(pushes) == 1 and "--atomic" in pushes[0], "one push moves both branches or none")
    host.expect(conflict.data.get("has_conflicts") is True, "the conflict is found")
    paths = [row.get("file_path") for row in conflict.data.get("conflicts", [])]
    host.expect(paths == ["pump.py"], "its file is named")


def run_command(host: Host, folder: Path, shop: Any) -> None:
    """Rebase all by `stithy stack` in a new clone, push what it shows, and print the commits of the branch."""
    git(folder, "clone", "-q", str(shop.bare), "clone")
    before = git(shop.bare, "for-each-ref")
    run_stithy(host, folder, "stack", BASE, "--run")
    host.expect(git(shop.bare, "for-each-ref") == before, "nothing is pushed before it is shown")
    run_stithy(host, folder, "stack", "--push")
    subjects = git(shop.bare, "log", "--reverse", "--format=%s", "main..chime").splitlines()
    host.say("\n".join(["$ git log --reverse --format=%s main..chime", *subjects]))
    own = [subject for subject, _ in (*OWN, CHIME)]
    host.expect(subjects == own, "the highest branch has the authors' own commits on main, and no others")
    host.expect(is_stacked(shop, "bell", "chime"), "it stands on the new head of the branch below")


def run_stithy(host: Host, folder: Path, *words: str) -> None:
    """Run `stithy` in the clone, and print what it prints."""
    program = Path(sys.executable).with_name("stithy")
    environ = {"STITHY_CONFIG": str(folder / "stithy.toml"), "XDG_CACHE_HOME": str(folder)}
    process = subprocess.run(
        [program, *words],
        cwd=folder / "clone",
        env={**os.environ, **AUTHOR, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    host.say("\n".join([f"$ stithy {' '.join(words)}", process.stdout.rstrip()]))
    host.expect(process.returncode == 0, f"stithy {words[-1]} succeeds: {process.stderr.strip()}")


def is_stacked(shop: Any, below: str, branch: str) -> bool:
    """Return whether a branch of the repository has the head of another one."""
    heads = git(shop.bare, "rev-parse", below), git(shop.bare, "merge-base", below, branch)
    return heads[0] == heads[1]
