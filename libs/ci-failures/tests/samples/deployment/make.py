"""Run Terraform, Helm and builders of images on samples, and keep their logs with the truth.

Usage: make.py [terraform] [images] [charts]. Needs the program of each; for images a Docker daemon 20.10, its client
(which DOCKER names), and buildah, both with an image `base:1` in which there is a shell only.
"""

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, ROOT, SAMPLES, keep, run

PLACE = "  on {} line {},"
DOCKER = os.environ.get("DOCKER", "docker")
STEPS = {
    "run": "RUN echo one && echo two && sh ./fails.sh",
    "copy": "COPY nowhere /there",
    "unknown": "RUN no-such-command --now",
}
"""The step that fails in each `Dockerfile.NAME`."""
FOUND_BY_NPM = "npm E404"


def copied(sample, name):
    """Copy a sample into a folder of its own."""
    folder = ROOT / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SAMPLES / sample, folder)
    return folder


def diagnostics(folder):
    """Return the errors of `terraform validate -json`."""
    done = subprocess.run(("terraform", "validate", "-json"), cwd=folder, capture_output=True, check=False)
    for one in json.loads(done.stdout)["diagnostics"]:
        file, line = one["range"]["filename"], one["range"]["start"]["line"]
        row = {"tool": "terraform", "kind": "compile", "name": f"{one['summary']} {file}:{line}"}
        yield row | {"file": file, "line": line}


def failed_runs(path):
    """Return the failed runs of `terraform test -junit-xml`, with the place that the first error names."""
    for case in ET.parse(path).getroot().iter("testcase"):
        wrong = next((child for child in case if child.tag in {"failure", "error"}), None)
        if wrong is not None:
            place = next(line for line in wrong.text.splitlines() if line.startswith("  on "))
            file, line = place.removeprefix("  on ").split(",")[0].split(" line ")
            name = f"{case.get('classname')} > {case.get('name')}"
            yield {"tool": "terraform", "kind": "test", "name": name, "file": file, "line": int(line)}


def terraform():
    for name, words in {"plain": ("-no-color",), "colour": ()}.items():
        folder = copied("deployment/terraform/validate", f"validate-{name}")
        run(folder, "terraform", "init")
        log = run(folder, "terraform", "validate", *words, env=CI)
        keep(f"terraform/1.11-validate-{name}", log, folder, "terraform validate -json", list(diagnostics(folder)))
        folder = copied("deployment/terraform/test", f"test-{name}")
        run(folder, "terraform", "init")
        log = run(folder, "terraform", "test", "-junit-xml=junit.xml", *words, env=CI)
        rows = list(failed_runs(folder / "junit.xml"))
        keep(f"terraform/1.11-test-{name}", log, folder, "terraform test -junit-xml, same run", rows)


def images():
    """Build without a network from an image that has a shell only."""
    folder = copied("deployment/image", "image")
    builders = {
        "docker/20.10-classic": ((DOCKER, "build"), {"DOCKER_BUILDKIT": "0"}),
        "docker/20.10-buildkit": ((DOCKER, "build", "--progress=plain"), {"DOCKER_BUILDKIT": "1"}),
        "docker/20.10-buildkit-auto": ((DOCKER, "build"), {"DOCKER_BUILDKIT": "1"}),
        "docker/buildah-1.28": (("buildah", "bud", "--isolation=chroot", "--pull-never"), {}),
    }
    for case, (words, env) in builders.items():
        network = "host" if words[0] == "buildah" else "none"
        for name in (*STEPS, "npm"):
            log = run(folder, *words, f"--network={network}", "-f", f"Dockerfile.{name}", ".", env=CI | env)
            row = {"tool": "docker", "kind": "compile", "name": STEPS.get(name)}
            if name == "npm":
                row = {"tool": "npm", "kind": "dependency", "name": FOUND_BY_NPM}
            keep(f"{case}-{name}", log, folder, "the step of the sample that cannot be built", [row])


CHARTS = {
    "deep": (
        "templates/service.yaml",
        "{{ .Values.nowhere.deeper }}\n",
        "template: app/templates/service.yaml:16:10: ",
    ),
    "syntax": ("templates/service.yaml", "{{ if }}\n", "parse error at (app/templates/service.yaml:16): "),
    "required": (
        "templates/x.yaml",
        '{{ required "set it" .Values.host }}\n',
        "execution error at (app/templates/x.yaml:1:3): ",
    ),
    "yaml": ("templates/x.yaml", "a: b\n  c: d\n", "YAML parse error on app/templates/x.yaml: "),
}
"""What is added to which file of a new chart, and how the error begins."""


def charts():
    """Lint and render charts that `helm create` wrote, each with one error."""
    for name, (file, added, begins) in CHARTS.items():
        folder = ROOT / f"chart-{name}"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(folder / "app", ignore_errors=True)
        for chart in ("app", "fine"):
            run(folder, "helm", "create", chart)
        path = folder / "app" / file
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(before + added, encoding="utf-8")
        line = 2 if name == "yaml" else before.count("\n") + 1
        place = {"file": f"app/{file}", "line": line}
        for command in ("lint", "template"):
            log = run(folder, "helm", command, "app", *(["fine"] if command == "lint" else []), env=CI)
            error = next((text for text in log.splitlines() if begins in text or "[ERROR]" in text), "")
            if not error:  # lint leaves values out that are required
                continue
            said = error.partition("Error: " if command == "template" else "/: " if "/: " in error else ".yaml: ")[2]
            row = {"tool": "helm", "kind": "lint" if command == "lint" else "compile"}
            row["name"] = said if f"app/{file}" in said else f"{said} app/{file}:{line}"
            keep(f"helm/3.16-{command}-{name}", log, folder, "the error of the sample", [row | place])


if __name__ == "__main__":
    for case in (terraform, images, charts):
        if not sys.argv[1:] or case.__name__ in sys.argv[1:]:
            case()
