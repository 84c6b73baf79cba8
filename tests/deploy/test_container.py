"""The container file: no complaint of hadolint, and its steps make an environment that serves.

There is no engine at hand in every place where tests run, so the steps are run here, each `/` below a folder.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

CHECKOUT = Path(__file__).parents[2]
FILE = CHECKOUT / "deploy/container/Containerfile"
OPT = "/opt/stithy"
FILES = ("requirements.txt", "build-requirements.txt")
LARGEST_MB = 80


def instructions(name):
    """Return the arguments of each instruction of a name, with its lines joined."""
    joined = re.sub(r"\\\n\s*", "", FILE.read_text("utf-8"))
    return [line.removeprefix(f"{name} ") for line in joined.splitlines() if line.startswith(f"{name} ")]


def test_hadolint_has_no_complaint():
    done = subprocess.run([Path(sys.executable).with_name("hadolint"), FILE], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_it_runs_as_an_unprivileged_user_and_names_its_needs():
    assert instructions("USER") == ["65532:65532"]
    assert instructions("EXPOSE") == ["8080"]
    assert "GITHUB_TOKEN_FILE=/var/run/github/token" in instructions("ENV")[0]


def test_the_runtime_has_nothing_but_the_environment():
    _, runtime = re.split("^FROM ", FILE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    copied = [line for line in runtime.splitlines() if line.startswith("COPY ")]
    assert copied == [f"COPY --from=build {OPT} {OPT}"]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Copy what is copied, and run what is run."""
    root = tmp_path_factory.mktemp("root")
    for copied in instructions("COPY"):
        if not copied.startswith("--from="):
            source, target = copied.split()
            copy = shutil.copytree if (CHECKOUT / source).is_dir() else shutil.copy
            copy(CHECKOUT / source, root / "src" / target)
    path = f"{Path(sys.base_prefix) / 'bin'}:/usr/bin:/bin"
    tools, environment = instructions("RUN")
    # What only builds is not compiled whole: pip reads the value of a `--no-…` option as that of the one without `no`.
    for command, options in ((tools, {"PIP_NO_COMPILE": "0"}), (environment, {})):
        here = command.replace("/opt/", f"{root}/opt/")
        environ = {"PATH": path, "HOME": str(root), **options}
        subprocess.run(["sh", "-euc", here], cwd=root / "src", env=environ, check=True)
    return root


@pytest.mark.packages
def test_the_built_image_serves(built):
    entry, given = (json.loads(instructions(name)[0]) for name in ("ENTRYPOINT", "CMD"))
    command = [f"{built}{entry[0]}", *given[:-1], "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=built, env={"HOME": str(built)}) as server:
        try:
            url = next(line for line in server.stderr if line.startswith("listening on ")).split()[-1]
            assert httpx.get(f"{url}/healthz", timeout=60).status_code == 200
            assert httpx.get(f"{url}/openapi.json", timeout=60).json()["info"]["title"] == "mcp-github-comments"
        finally:
            server.terminate()


@pytest.mark.packages
def test_the_environment_is_no_larger_than_the_readme_says(built):
    size = sum(path.lstat().st_size for path in Path(f"{built}{OPT}").rglob("*") if path.is_file())
    assert size / 1_000_000 < LARGEST_MB
    assert f"{LARGEST_MB} MB" in (CHECKOUT / "deploy/README.md").read_text("utf-8")


@pytest.mark.packages
def test_everything_that_is_installed_has_a_hash(built):
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "freeze", "--path", *Path(f"{built}{OPT}").glob("lib/python*/site-packages")],
        capture_output=True,
        text=True,
        check=True,
    )
    others = {normalize(shlex.split(line)[0]) for line in listed.stdout.splitlines() if not line.startswith("stithy")}
    assert others == set(pins("requirements.txt"))


def pins(name):
    """Return the releases of a file with their hashes."""
    rows = (FILE.parent / name).read_text("utf-8").replace("\\\n", "").splitlines()
    return {normalize(row.split()[0]): row.split()[1:] for row in rows if row and not row.startswith("#")}


def normalize(release):
    """Write a release's name as indexes do, which tools do not agree on."""
    return release.lower().replace("_", "-")


@pytest.mark.parametrize("name", FILES)
def test_every_release_has_hashes_and_no_file_names_an_index(name):
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", release) for release in pins(name))
    assert all(hashes and all(row.startswith("--hash=sha256:") for row in hashes) for hashes in pins(name).values())
    assert not re.search(r"://|--(extra-)?index-url|--find-links", (FILE.parent / name).read_text("utf-8"))


@pytest.mark.parametrize("name", FILES)
def test_a_file_with_hashes_has_what_its_source_asks_for(name):
    wanted = (FILE.parent / name.replace(".txt", ".in")).read_text("utf-8").split()
    assert {normalize(row) for row in wanted} <= set(pins(name))


def test_packages_have_hashes_and_images_digests():
    installs = [step for command in instructions("RUN") for step in command.split("&&") if " install " in step]
    assert len(installs) == 3
    assert all("--require-hashes" in step or "--no-index --no-deps" in step for step in installs)
    assert instructions("ARG") == ["PYTHON_IMAGE"]
    assert instructions("FROM") == ["${PYTHON_IMAGE} AS build", "${PYTHON_IMAGE}"]


@pytest.mark.packages
def test_the_image_lists_what_is_in_it(built):
    listed = json.loads(Path(f"{built}{OPT}/sbom.cdx.json").read_text("utf-8"))
    assert listed["bomFormat"] == "CycloneDX"
    names = {normalize(f"{row['name']}=={row['version']}") for row in listed["components"]}
    assert set(pins("requirements.txt")) <= names
    assert any(row["name"] == "stithy-core" for row in listed["components"])
