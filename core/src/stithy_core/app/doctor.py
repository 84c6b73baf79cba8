"""What `stithy doctor` asks: plugins, settings, every configured forge, and whatever plugins want to check."""

from collections.abc import AsyncIterator

from stithy_core.app.assembly import App
from stithy_core.errors import StithyError, Unauthorized
from stithy_core.plugins import resolve, said
from stithy_core.redaction import redact
from stithy_core.spi import Check, Contribution, Finding, Unknown, known

Line = tuple[str, Finding]

REPORT = "Report it to the plugin's author."
MISREAD = f"Check that its url is the forge's own, without a path of its API. {REPORT}"


async def examine(app: App) -> AsyncIterator[Line]:
    """Give one finding after the other, each with what was looked at; nothing here shows a token."""
    for plugin in app.plugins.loaded:
        yield "plugin", Finding("ok", f"{plugin.origin} is loaded in {plugin.seconds * 1_000:.0f} ms")
        for note in plugin.notes:
            yield "plugin", Finding("warning", f"{plugin.origin}: {note}")
    for failed in app.all_failed:
        what = f"{failed.origin}: {failed.offer or 'the plugin'}"
        yield "plugin", Finding("error", f"{what} failed at {failed.stage}: {failed.cause}", failed.remedy)
    yield "settings", Finding("ok", f"read from {app.config.path or 'the environment'}")
    if not app.forges.configured:
        remedy = "Add [forges.NAME] to stithy.toml, or set GITEA_URL and GITEA_TOKEN."
        yield "forges", Finding("warning", "none is configured", remedy)
    for alias in app.forges.configured:
        async for finding in _forge(app, alias):
            yield f"forge {alias}", finding
    for check, origin in app.plugins.offers["stithy_checks"]:
        for finding in await _asked(app, check, origin):
            yield check.name, finding
    await app.connections.aclose()


async def _forge(app: App, alias: str) -> AsyncIterator[Finding]:
    source = app.config.forges[alias].token
    try:
        forge = app.forges.forge(alias)
        yield Finding("ok", f"{await forge.version()} answers at {forge.link.url}")
        user = await known(forge.identity.me())
    except StithyError as error:
        if isinstance(error, Unauthorized) and source is None:
            yield Finding("warning", "no token: only public data can be read", f"Set token in [forges.{alias}].")
        else:
            yield Finding("error", redact(error.message), redact(error.suggestion))
        return
    except (Exception, SystemExit) as error:  # noqa: BLE001 -- a forge that answers strangely, or its plugin's fault
        yield Finding("error", redact(f"{alias} cannot be understood: {said(error)}"), MISREAD)
        return
    who = f"the token from {source}" if source else "no token, and it"
    if isinstance(user, Unknown):
        yield Finding("warning", f"{who} speaks for somebody unknown: {user.reason}", user.remedy)
    else:
        yield Finding("ok", f"{who} speaks for {user.login}")


async def _asked(app: App, check: Check, origin: Contribution) -> list[Finding]:
    try:
        found = list(await resolve(check.run)(app.scope(origin)))
    except (Exception, SystemExit) as error:  # noqa: BLE001 -- a check that breaks is a finding of its own
        return [Finding("error", redact(f"the check of {origin} broke: {said(error)}"), REPORT)]
    if strange := [row for row in found if not isinstance(row, Finding)]:
        return [Finding("error", redact(f"the check of {origin} gave {strange[0]!r:.80}"), REPORT)]
    return found
