"""The pytest plugin: its fixtures are available wherever the kit is installed."""

import importlib
import sys
import textwrap
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

RECORDED = "operation_record"
"""The attribute with the operations of a test of the conformance suite: of its function, instance and report."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what a test of the conformance suite recorded to its report, which pytest-xdist sends to the main process."""
    report = yield
    if isinstance(item, pytest.Function) and hasattr(item.function, RECORDED):
        from stithy_testing.conformance.operation_record import report_operations

        report_operations(item, report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print which operations of each forge the conformance suite proved."""
    reports = [one for group in terminalreporter.stats.values() for one in group if hasattr(one, RECORDED)]
    if not reports:
        return
    from stithy_testing.conformance.operation_record import summarize_suites

    terminalreporter.section("conformance of forges")
    for line, passed in summarize_suites(reports):
        terminalreporter.line(line, green=passed, red=not passed)


@pytest.fixture
def install_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Return a function that installs a plugin for the duration of one test: a fixture.

    Its arguments are those of `write_plugin`, without the folder: `install_plugin("stithy-pond", source)`.
    """
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)

    def install(name: str, source: str, **options: Any) -> str:
        write_plugin(folder, name, source, **options)
        # A folder's cached listing is as old as its time of change: a second file of the same tick would not be seen.
        importlib.invalidate_caches()
        return name

    with unload_modules(folder):
        yield install


@contextmanager
def unload_modules(folder: Path) -> Iterator[None]:
    """Remove the modules that are imported from a folder meanwhile, so that the next test imports its own."""
    modules = set(sys.modules)
    yield
    for module in set(sys.modules) - modules:
        if str(folder) in str(getattr(sys.modules[module], "__file__", "")):
            del sys.modules[module]


def write_plugin(
    folder: Path,
    name: str,
    source: str,
    *,
    version: str = "1.0",
    requires: Sequence[str] = (),
    entry_point: str = "",
) -> Path:
    """Write a plugin as an installed distribution, with the metadata that pip would write.

    Args:
        folder: The folder to write to, which is created if it is missing; the test puts it on `sys.path`.
        name: The distribution's name, such as `stithy-pond`; its module is the same with underscores.
        source: The module's text; common indentation is removed.
        version: The distribution's version.
        requires: The distributions that it requires, as in `Requires-Dist`.
        entry_point: The entry point's name; by default the distribution's name without `stithy-`.

    Returns:
        The folder.
    """
    module = name.replace("-", "_")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{module}.py").write_text(textwrap.dedent(source), encoding="utf-8")
    metadata = folder / f"{module}-{version}.dist-info"
    metadata.mkdir(parents=True)
    needs = "".join(f"Requires-Dist: {requirement}\n" for requirement in requires)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}")
    point = entry_point or name.removeprefix("stithy-")
    (metadata / "entry_points.txt").write_text(f"[stithy]\n{point} = {module}\n")
    return folder
