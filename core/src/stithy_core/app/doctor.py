"""The checks of `stithy doctor`: settings, plugins, the server of each forge, and tokens that hosts withhold."""

from collections.abc import AsyncIterator, Container, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio

from stithy_core.agent_hosts import HOSTS, find_host
from stithy_core.app.assembly import App
from stithy_core.app.plugin_faults import find_faults, list_notes
from stithy_core.config import SETTINGS_FILE, Config, list_forge_variables, list_usual_variables, user_file
from stithy_core.errors import StithyError, Unauthorized
from stithy_core.plugins import describe_error, display_name, resolve
from stithy_core.redaction import redact
from stithy_core.spi import (
    Access,
    Check,
    Contribution,
    Finding,
    Forge,
    ForgeConfig,
    Identity,
    RateLimitStatus,
    Support,
    Unknown,
    User,
    map_concurrently,
    operations,
    or_unknown,
)
from stithy_core.spi.faults import PluginFault, ends_caller


def format_token_hint(client: str, names: Sequence[str]) -> str:
    """Return why a server has no token and the remedy; empty for a client that withholds none.

    Args:
        client: The name in its clientInfo.
        names: The variables that are missing.
    """
    host = find_host(client)
    if host is None or not host.why or not names:
        return ""
    are = "is" if len(names) == 1 else "are"
    listed = ", ".join(names)
    return (
        f"{listed} {are} not set in this server: {host.title} {host.why}. If your shell has {listed}, write"
        f" {host.cure(names)}, and start {host.title} again."
    )


def format_host_hint(name: str) -> str:
    """Return how to configure hosts that do not pass a variable on to their servers."""
    shown = ("codex-mcp-client", "gemini-cli-mcp-client")
    cures = "; ".join(f"{HOSTS[client].title}: {HOSTS[client].cure([name])}" for client in shown)
    return f"Not every host passes {name} on to the server. {cures}."


def list_missing_variables(
    config: Config, environ: Mapping[str, str], lacking: Sequence[ForgeConfig], kinds: Container[str]
) -> list[str]:
    """Return the variables that would provide the missing tokens, or a forge if no forge is configured.

    Args:
        config: The settings.
        environ: The environment; variables that are set are left out.
        lacking: The forges that were asked without a token, since none was found.
        kinds: The kinds of forges that are installed.
    """
    names: list[str] = []
    for forge_config in lacking:
        forge = config.forges.get(forge_config.alias)
        source = forge.token if forge else None
        if source is None:
            names += list_usual_variables(forge_config.alias, forge_config.kind)
        elif source.env:
            names.append(source.env)
    if not config.forges and not lacking:
        names = [name for variables in list_forge_variables(kinds) for name in variables]
    return [name for name in dict.fromkeys(names) if not environ.get(name)]


REPORT = "Report it to the plugin's author."
MISREAD = f"Check that its url is the forge's own, without a path of its API. {REPORT}"
SKEWED = timedelta(seconds=30)
SOON = timedelta(days=7)
LOW = 10  # percent


async def examine_forge(app: App, alias: str) -> AsyncIterator[Finding]:
    """Iterate over the findings about a configured forge; the token is never shown."""
    source: str | None = None
    try:
        forge = app.forges.forge(alias)
        source = await app.connections.token_source(forge.config)
        yield Finding("ok", f"{await forge.version()} answers at {forge.config.url}")
        yield _check_clock(forge)
        yield _describe_account(source, await or_unknown(forge.identity.me()))
        async for finding in _examine_access(forge):
            yield finding
        yield await _summarize_operations(forge)
    except StithyError as error:
        yield _describe_failure(alias, source, error)
    except BaseException as error:  # an unexpected answer of the forge, or a fault of its plugin
        if ends_caller(error):
            raise
        yield Finding("error", redact(f"{alias} cannot be understood: {describe_error(error)}"), MISREAD)


def _describe_failure(alias: str, source: str | None, error: StithyError) -> Finding:
    if isinstance(error, PluginFault):
        return Finding("error", redact(f"{alias} cannot be understood: {error.message}"), MISREAD)
    if not isinstance(error, Unauthorized):
        return Finding("error", redact(error.message), redact(error.suggestion))
    if source is None:
        remedy = f"Set token in [forges.{alias}]. A host may not pass a variable on: docs/settings.md has the cures."
        return Finding("warning", "no token: only public data can be read", remedy)
    text = f"the token from {source} is refused: {redact(error.message)}"
    return Finding("error", text, "The token has expired, was revoked, or belongs to another forge. Replace it.")


def _check_clock(forge: Forge) -> Finding:
    skew = forge.http.now() - datetime.now(UTC)
    if abs(skew) < SKEWED:
        return Finding("ok", "its clock agrees with ours")
    direction = "ahead of" if skew > timedelta(0) else "behind"
    text = f"its clock is {abs(skew).total_seconds():.0f} s {direction} ours"
    return Finding("warning", text, "Set the clocks by NTP: tokens of apps and cut-off times depend on them.")


def _describe_account(source: str | None, user: User | Unknown) -> Finding:
    who = f"the token from {source}" if source else "no token, and it"
    if isinstance(user, Unknown):
        return Finding("warning", f"{who} belongs to an unknown account: {redact(user.reason)}", user.remedy)
    variable = (source or "").removeprefix("the variable ")
    return Finding(
        "ok", f"{who} speaks for {user.login}", "" if variable == (source or "") else format_host_hint(variable)
    )


async def _examine_access(forge: Forge) -> AsyncIterator[Finding]:
    if not await forge.supports(Identity.access):
        return
    access = await or_unknown(forge.identity.access())
    if isinstance(access, Unknown):
        yield Finding("warning", f"what the token may do is not known: {access.reason}", access.remedy)
        return
    yield _describe_scopes(access)
    if access.expires_at is not None:
        ending = access.expires_at - forge.http.now() < SOON
        yield Finding("warning" if ending else "ok", f"the token ends at {access.expires_at:%Y-%m-%d %H:%M} UTC")
    for quota in access.quotas:
        yield _describe_quota(quota)


def _describe_scopes(access: Access) -> Finding:
    what = f"the token's kind: {access.kind}; its" if access.kind else "the token's"
    if isinstance(access.scopes, Unknown):
        return Finding("ok", f"{what} scopes are not known: {access.scopes.reason}", access.scopes.remedy)
    return Finding("ok", f"{what} scopes: {', '.join(access.scopes) or 'none'}")


def _describe_quota(quota: RateLimitStatus) -> Finding:
    text = f"rate limit {quota.name}: {quota.left:,} of {quota.limit:,} left until {quota.resets_at:%H:%M} UTC"
    return Finding("warning" if quota.left * 100 < quota.limit * LOW else "ok", text)


async def _summarize_operations(forge: Forge) -> Finding:
    """Return which operations the forge supports; the server is asked only if its kind does not declare it."""
    names = [operation.__qualname__ for operation in operations()]
    answers: list[Support | Unknown] = await map_concurrently(
        operations(), lambda operation: or_unknown(forge.supports(operation))
    )
    lacking = [name for name, answer in zip(names, answers, strict=True) if isinstance(answer, Unknown) or not answer]
    if not lacking:
        return Finding("ok", f"all {len(names)} operations are there")
    text = f"{len(names) - len(lacking)} of {len(names)} operations are there; not {', '.join(lacking)}"
    return Finding("ok", text, "`stithy explain TOOL --ask` says what that means for a tool.")


SERVICE_TRIAL = 0.3
"""Seconds that services run: one that cannot be imported or started fails at once."""

Line = tuple[str, Finding]


async def examine(app: App) -> AsyncIterator[Line]:
    """Iterate over all findings, each with its subject; no token is shown."""
    for finding in _check_plugins(app):
        yield "plugin", finding
    for finding in _check_settings(app.config):
        yield "settings", finding
    if not app.forges.configured:
        yield "forges", _describe_defaults(app)
    for alias in app.forges.configured:
        async for finding in examine_forge(app, alias):
            yield f"forge {alias}", finding
    with app.watchdog.watch():
        for check, origin in app.plugins.offers["stithy_checks"]:
            for finding in await _run_check(app, check, origin):
                yield check.name, finding
        for line in await _try_services(app):
            yield line
    for hold in app.watchdog.holds.values():
        yield "plugin", Finding("warning", f"{hold.origin}: {hold}")
    await app.connections.aclose()


def _describe_defaults(app: App) -> Finding:
    """Return what works while no forge is configured, and what a token would add."""
    defaults = [forge.config for forge in app.forges.list_defaults()]
    if not defaults:
        return Finding("warning", "none is configured", app.forges.configure)
    urls = ", ".join(config.url for config in defaults)
    names = [name for config in defaults for name in list_usual_variables("", config.kind)]
    remedy = (
        f"{' or '.join(names)} would add private repositories, writing, higher rate limits, and what a forge shows to"
        " accounts alone, such as whether a thread is resolved."
    )
    return Finding("ok", f"no forge in the settings; owner/repo means {urls}, read without a token", remedy)


def _check_settings(config: Config) -> Iterator[Finding]:
    """Iterate over the findings about files: which was read, which folders were searched, and which were refused."""
    project = config.project
    for path in project.refused:
        text = f"{path} is not read: the file, its folder or the repository belongs to another user"
        yield Finding("warning", text, f"If you trust it, set STITHY_CONFIG={path}.")
    if config.path is not None:
        yield Finding("ok", f"read from {config.path}")
        return
    first, *above = project.folders or (Path.cwd(),)
    span = f"{first} and the folders above it up to {above[-1]}" if above else str(first)
    yield Finding("ok", f"read from the environment: there is no {SETTINGS_FILE} in {span}, and no {user_file()}")


def _check_plugins(app: App) -> Iterator[Finding]:
    for plugin in app.plugins.loaded:
        yield Finding("ok", f"{display_name(plugin.origin)} is loaded in {plugin.seconds * 1_000:.0f} ms")
    faults = find_faults(app)
    for origin, note in list_notes(app):
        yield Finding("warning", f"{display_name(origin)}: {note}")
    for failed in faults:
        subject = f"{failed.origin}: {failed.offer or 'the plugin'}"
        yield Finding("error", f"{subject} failed at {failed.stage}: {failed.cause}", failed.remedy)


async def _try_services(app: App) -> list[Line]:
    """Start the services for a moment, and return a finding for each that failed: no running server is asked."""
    services = app.make_services()
    with anyio.move_on_after(SERVICE_TRIAL):
        async with anyio.create_task_group() as group:
            for each in services:
                group.start_soon(each.run)
    failed = [each for each in services if each.failures]
    return [(f"service {each.service.name}", Finding("error", f"it failed: {each.failure}", REPORT)) for each in failed]


async def _run_check(app: App, check: Check, origin: Contribution) -> list[Finding]:
    try:
        findings = list(await resolve(check.run)(app.scope(origin)))
    except BaseException as error:  # a failing check is a finding itself
        if ends_caller(error):
            raise
        return [Finding("error", redact(f"the check of {origin} failed: {describe_error(error)}"), REPORT)]
    if invalid := [row for row in findings if not isinstance(row, Finding)]:
        text = f"the check of {origin} returned {invalid[0]!r:.80} instead of a Finding"
        return [Finding("error", redact(text), REPORT)]
    return findings
