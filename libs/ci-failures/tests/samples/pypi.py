"""What the scripts share that run tools of PyPI on the samples: installing, running and keeping logs with their truth.

Everything is done in a folder of its own, named by STITHY_SAMPLES or temporary; only logs come back.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

SAMPLES = Path(__file__).parent
LOGS = SAMPLES.parent / "logs"
ROOT = Path(os.environ.get("STITHY_SAMPLES") or tempfile.mkdtemp(prefix="samples-")).resolve()
TRUTH = ROOT / f"truth-{os.getpid()}.json"
"""Where a run writes what failed."""
CI_ROOT = "/home/runner/work/app/app"
TOOLS = "/opt/hostedtoolcache/Python"
CI = {"CI": "true", "GITHUB_ACTIONS": "true"}
NOT_CI = {"CI": "", "GITHUB_ACTIONS": "", "BUILD_NUMBER": ""}


def python(version):
    """Give an interpreter of a version, as 3.13; those of pyenv are found, too."""
    installed = sorted((Path.home() / ".pyenv/versions").glob(f"{version}.*/bin/python"))
    return str(installed[-1]) if installed else shutil.which(f"python{version}")


def venv(name, version, *packages):
    """Make an environment with packages, once, and give its folder of programs."""
    folder = ROOT / "venvs" / name
    if not (folder / "ready").exists():
        if version == "2.7":  # the last virtualenv that makes them
            maker = venv("virtualenv", "3.8", "virtualenv<20.22") / "virtualenv"
            subprocess.run([maker, "-q", "-p", python(version), folder], check=True, timeout=120)
        else:
            subprocess.run([python(version), "-m", "venv", folder], check=True, timeout=120)
        install = [folder / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages]
        if packages:
            subprocess.run(install, check=True, timeout=600)
        (folder / "ready").touch()
    return folder / "bin"


def project(sample, name, inner=""):
    """Copy a sample's project into a fresh folder, or into a folder in it, and give the fresh one."""
    folder = ROOT / "projects" / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SAMPLES / sample / "project", folder / inner)
    return folder


def run(folder, *command, env=None):
    """Run a command as CI does, both of its streams into one."""
    kept = {name: value for name, value in os.environ.items() if name in {"HOME", "LANG", "PATH", "TMPDIR"}}
    given = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", **kept, **(env or {})}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={name: value for name, value in given.items() if value},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        timeout=180,
    )
    return done.stdout.decode("utf-8", "replace")


def scrub(text, folder):
    """Put the paths of CI in the place of ours."""
    text = text.replace(str(folder), CI_ROOT).replace(f"{ROOT}/venvs", f"{TOOLS}/venvs")
    text = re.sub(re.escape(f"{Path.home()}/.pyenv/versions/") + r"([\d.]+)", TOOLS + r"/\1/x64", text)
    return text.replace(str(ROOT), "/home/runner/work/_temp").replace(str(Path.home()), "/home/runner")


def keep(case, log, folder, source, failures):
    """Write a log and its truth, each failure of it once."""
    target = LOGS / case
    target.parent.mkdir(parents=True, exist_ok=True)
    (target.parent / f"{target.name}.log").write_bytes(scrub(log, folder).encode())
    once = dict.fromkeys(json.dumps(row, sort_keys=True, ensure_ascii=False) for row in failures)
    truth = f'{{"from": {json.dumps(source)}, "failures": [\n' + ",\n".join(once) + "\n]}\n"
    (target.parent / f"{target.name}.json").write_text(scrub(truth, folder), encoding="utf-8")
