"""What the scripts share that run tools of npm on the samples: installing, running and keeping logs with their truth.

Everything is done in a folder of its own, named by STITHY_SAMPLES or temporary; only logs come back.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from terminals import on_a_terminal

SAMPLES = Path(__file__).parent
LOGS = SAMPLES.parent / "logs"
ROOT = Path(os.environ.get("STITHY_SAMPLES") or tempfile.mkdtemp(prefix="samples-"))
CI_ROOT = "/home/runner/work/app/app"
QUIET = {"npm_config_audit": "false", "npm_config_fund": "false", "npm_config_update_notifier": "false"}
CI = {"CI": "true", "GITHUB_ACTIONS": "true"}
COLOUR = {"FORCE_COLOR": "1"}


def project(sample, name, *packages):
    """Copy a sample into a folder of its own, and install packages there; one that is installed is only copied to."""
    folder = ROOT / name
    source = SAMPLES / sample
    folder.mkdir(parents=True, exist_ok=True)
    if packages and not (folder / "node_modules").exists():
        (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
        command = ["npm", "install", "--silent", *packages]
        subprocess.run(command, cwd=folder, env=os.environ | QUIET, check=True, timeout=600)
    for old in folder.iterdir():
        if old.name not in {"node_modules", "package-lock.json"}:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copytree(source, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("make.py"))
    return folder


def node(version):
    """Give a Node of a major version, from npm's package of it."""
    folder = ROOT / f"node{version}"
    if not (folder / "node_modules").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
        command = ["npm", "install", "--silent", f"node@{version}"]
        subprocess.run(command, cwd=folder, env=os.environ | QUIET, check=True, timeout=600)
    return str(next(folder.glob("node_modules/node*/bin/node")))


def run(folder, *command, env=None, width=0):
    """Run a command as CI does, both of its streams into one; on a terminal of some width, if one is given."""
    clean = {name: value for name, value in os.environ.items() if name not in {"CI", "FORCE_COLOR", "NO_COLOR"}}
    if width:
        return on_a_terminal(command, folder, clean | (env or {}), columns=width, seconds=180)
    done = subprocess.run(
        command, cwd=folder, env=clean | (env or {}), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=180
    )
    return done.stdout.decode("utf-8", "replace")


def scrub(text, folder):
    """Put the paths of CI in the place of ours."""
    for path in (str(folder.resolve()), str(folder)):
        text = text.replace(path, CI_ROOT)
    return text.replace(str(ROOT.resolve()), "/home/runner/work/_temp").replace(str(Path.home()), "/home/runner")


def keep(case, log, folder, source, failures):
    """Write a log and its truth, each failure of it once."""
    target = LOGS / case
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_name(f"{target.name}.log").write_bytes(scrub(log, folder).encode())
    once = {json.dumps(row, sort_keys=True, ensure_ascii=False): row for row in failures}
    truth = json.dumps({"from": source, "failures": list(once.values())}, indent=1, ensure_ascii=False)
    target.with_name(f"{target.name}.json").write_text(scrub(truth, folder) + "\n", encoding="utf-8")


def frame(stack, folder):
    """Give the file and the line of the first frame of a stack that lies in the project; nothing if none does."""
    form = re.compile(r"(?:at |\()(?:async )?(?:file://)?" + re.escape(str(folder.resolve())) + r"/([^:\n]+):(\d+):\d+")
    for line in stack.splitlines():
        found = form.search(line)
        if found and "node_modules" not in line:
            return {"file": found[1], "line": int(found[2])}
    return {}
