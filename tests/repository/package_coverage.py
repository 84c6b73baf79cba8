"""Measure how much of each package its own tests reach, and hold it to its threshold in pyproject.toml.

Usage: python tests/repository/package_coverage.py [PACKAGE…] [-- PYTEST_OPTION…]
"""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
THRESHOLDS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["package-coverage"]


def measure_package(package: str, options: list[str]) -> bool:
    """Run the tests of a package; return whether they pass and reach the threshold."""
    row = THRESHOLDS[package]
    tests, percent = row["tests"], row["percent"]
    coverage = [f"--cov={row.get('source', package)}", "--cov-report=term", f"--cov-fail-under={percent}"]
    return subprocess.run([sys.executable, "-m", "pytest", *coverage, *options, tests], cwd=ROOT).returncode == 0


def main(words: list[str]) -> str:
    """Measure the named packages, or all; return what is wrong, or an empty text."""
    end = words.index("--") if "--" in words else len(words)
    packages, options = words[:end] or list(THRESHOLDS), words[end + 1 :]
    if unknown := set(packages) - set(THRESHOLDS):
        return f"unknown packages {sorted(unknown)}; expected some of {', '.join(THRESHOLDS)}"
    failed = [package for package in packages if not measure_package(package, options)]
    return f"failing tests, or less than the percent in pyproject.toml: {', '.join(failed)}" if failed else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) or 0)
