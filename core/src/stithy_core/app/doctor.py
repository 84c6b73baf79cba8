"""What `stithy doctor` asks: plugins, settings, every configured forge, and whatever plugins want to check."""

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import redirect_stdout
from pathlib import Path

import anyio

from stithy_core.app.assembly import App
from stithy_core.app.health import REPORT, examine_forge
from stithy_core.config import NAME, Config, user_file
from stithy_core.containment import ends_caller
from stithy_core.errors import InvalidSpec
from stithy_core.forges import CONFIGURE
from stithy_core.plugins import Failed, PluginError, contained, resolve, said
from stithy_core.plugins.outcomes import display_name
from stithy_core.redaction import redact
from stithy_core.spi import Check, Contribution, Finding
from stithy_core.tools import Tool

SERVICE_TRIAL = 0.3
"""Seconds that services run: one that cannot be imported or started fails at once."""

Line = tuple[str, Finding]


async def examine(app: App) -> AsyncIterator[Line]:
    """Give one finding after the other, each with what was looked at; nothing here shows a token."""
    for finding in _check_plugins(app):
        yield "plugin", finding
    for finding in _settings(app.config):
        yield "settings", finding
    if not app.forges.configured:
        yield "forges", Finding("warning", "none is configured", CONFIGURE)
    for alias in app.forges.configured:
        async for finding in examine_forge(app, alias):
            yield f"forge {alias}", finding
    with app.watchdog.watch():
        for check, origin in app.plugins.offers["stithy_checks"]:
            for finding in await _asked(app, check, origin):
                yield check.name, finding
        for line in await _try_services(app):
            yield line
    for hold in app.watchdog.holds.values():
        yield "plugin", Finding("warning", f"{hold.origin}: {hold}")
    await app.connections.aclose()


def _settings(config: Config) -> Iterator[Finding]:
    """Report which file counts, where another was looked for, and which was refused."""
    project = config.project
    for path in project.refused:
        text = f"{path} is not read: the file, its folder or the repository belongs to another user"
        yield Finding("warning", text, f"If you trust it, set STITHY_CONFIG={path}.")
    if config.path is not None:
        yield Finding("ok", f"read from {config.path}")
        return
    first, *above = project.folders or (Path.cwd(),)
    span = f"{first} and the folders above it up to {above[-1]}" if above else str(first)
    yield Finding("ok", f"read from the environment: there is no {NAME} in {span}, and no {user_file()}")


def _check_plugins(app: App) -> Iterator[Finding]:
    for plugin in app.plugins.loaded:
        yield Finding("ok", f"{display_name(plugin.origin)} is loaded in {plugin.seconds * 1_000:.0f} ms")
        for note in plugin.notes:
            yield Finding("warning", f"{display_name(plugin.origin)}: {note}")
    for failed in (*app.all_failed, *_uncallable(app), *app.unsuitable()):
        what = f"{failed.origin}: {failed.offer or 'the plugin'}"
        yield Finding("error", f"{what} failed at {failed.stage}: {failed.cause}", failed.remedy)


async def _try_services(app: App) -> list[Line]:
    """Start the services for a moment, and return a finding for each that failed: no running server is asked."""
    services = app.make_services()
    with anyio.move_on_after(SERVICE_TRIAL):
        async with anyio.create_task_group() as group:
            for each in services:
                group.start_soon(each.run)
    failed = [each for each in services if each.failures]
    return [(f"service {each.service.name}", Finding("error", f"it failed: {each.failure}", REPORT)) for each in failed]


def _uncallable(app: App) -> Iterator[Failed]:
    """Find the tools whose handler cannot be loaded or described, which a server learns only when they are called."""
    for tool in app.executor.registry.tools.values():
        try:
            with redirect_stdout(sys.stderr), contained("", "mend its handler"):
                _describe(tool)
        except PluginError as error:
            what = f"tool {tool.spec.name}"
            yield Failed(origin=tool.origin, stage="call", cause=error.cause, remedy=error.remedy, offer=what)


def _describe(tool: Tool) -> None:
    try:
        _ = tool.output
    except InvalidSpec as error:
        raise PluginError(redact(error.message), error.suggestion) from error


async def _asked(app: App, check: Check, origin: Contribution) -> list[Finding]:
    try:
        found = list(await resolve(check.run)(app.scope(origin)))
    except BaseException as error:  # a check that breaks is a finding of its own
        if ends_caller(error):
            raise
        return [Finding("error", redact(f"the check of {origin} broke: {said(error)}"), REPORT)]
    if strange := [row for row in found if not isinstance(row, Finding)]:
        return [Finding("error", redact(f"the check of {origin} gave {strange[0]!r:.80}"), REPORT)]
    return found
