"""What the scripts share that run Go's and Rust's tools on the samples: running them, and keeping logs and the truth.

Everything is done in a folder of its own, named by STITHY_SAMPLES or temporary; only logs come back.
"""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from terminals import on_a_terminal

SAMPLES = Path(__file__).parent
LOGS = SAMPLES.parent / "logs"
ROOT = Path(os.environ.get("STITHY_SAMPLES") or tempfile.mkdtemp(prefix="samples-")).resolve()
CI_ROOT = "/home/runner/work/app/app"
CI = {"CI": "true", "GITHUB_ACTIONS": "true"}
LEFT_OUT = shutil.ignore_patterns("make.py", "target", "Cargo.lock", "go.sum")


def project(sample, name):
    """Copy a sample into a fresh folder; what was built there before stays."""
    folder = ROOT / name
    for old in folder.iterdir() if folder.exists() else ():
        if old.name not in {"target", "Cargo.lock"}:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copytree(SAMPLES / sample, folder, dirs_exist_ok=True, ignore=LEFT_OUT)
    return folder


def run(folder, *command, env=None, terminal=False, errors=True):
    """Run a command as CI does, both of its streams into one; on a terminal, if it is to believe that it has one."""
    clean = {name: value for name, value in os.environ.items() if name not in {"CI", "GITHUB_ACTIONS", "NO_COLOR"}}
    clean |= {"TERM": "xterm" if terminal else "dumb", **(env or {})}
    if terminal:
        return on_a_terminal(command, folder, clean)
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=clean,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if errors else subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        timeout=900,
    )
    return done.stdout.decode("utf-8", "replace")


def scrub(text, folder):
    """Put the paths of CI in the place of ours."""
    text = text.replace(str(folder), CI_ROOT).replace(str(ROOT), "/home/runner/work/_temp")
    text = text.replace(str(ROOT.parent), "/home/runner/work")
    return text.replace(str(Path.home()), "/home/runner")


def keep(case, log, folder, source, failures):
    """Write a log and its truth, each failure of it once."""
    target = LOGS / case
    target.parent.mkdir(parents=True, exist_ok=True)
    (target.parent / f"{target.name}.log").write_bytes(scrub(log, folder).encode())
    once = {json.dumps(row, sort_keys=True, ensure_ascii=False): row for row in failures}
    truth = json.dumps({"from": source, "failures": list(once.values())}, indent=1, ensure_ascii=False)
    (target.parent / f"{target.name}.json").write_text(scrub(truth, folder) + "\n", encoding="utf-8")
