"""What `stithy doctor` asks of one forge: reachable, which version, whose token, what it may, what there is."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

from stithy_core.app.assembly import App
from stithy_core.app.hosts import pass_on_hint
from stithy_core.containment import ends_caller
from stithy_core.errors import StithyError, Unauthorized
from stithy_core.plugins import said
from stithy_core.redaction import redact
from stithy_core.spi import (
    Access,
    Finding,
    Forge,
    Identity,
    RateLimitStatus,
    Support,
    Unknown,
    User,
    map_concurrently,
    operations,
    or_unknown,
)
from stithy_core.spi.faults import PluginFault

REPORT = "Report it to the plugin's author."
MISREAD = f"Check that its url is the forge's own, without a path of its API. {REPORT}"
SKEWED = timedelta(seconds=30)
SOON = timedelta(days=7)
LOW = 10  # of a hundred


async def examine_forge(app: App, alias: str) -> AsyncIterator[Finding]:
    """Give one finding after the other about a configured forge; the token itself is never shown."""
    source: str | None = None
    try:
        forge = app.forges.forge(alias)
        source = await app.connections.token_source(forge.config)
        yield Finding("ok", f"{await forge.version()} answers at {forge.config.url}")
        yield _clock(forge)
        yield _speaker(source, await or_unknown(forge.identity.me()))
        async for finding in _access(forge):
            yield finding
        yield await _capabilities(forge)
    except StithyError as error:
        yield _failure(alias, source, error)
    except BaseException as error:  # a forge that answers strangely, or its plugin's fault
        if ends_caller(error):
            raise
        yield Finding("error", redact(f"{alias} cannot be understood: {said(error)}"), MISREAD)


def _failure(alias: str, source: str | None, error: StithyError) -> Finding:
    if isinstance(error, PluginFault):
        return Finding("error", redact(f"{alias} cannot be understood: {error.message}"), MISREAD)
    if not isinstance(error, Unauthorized):
        return Finding("error", redact(error.message), redact(error.suggestion))
    if source is None:
        remedy = f"Set token in [forges.{alias}]. A host may not pass a variable on: docs/settings.md has the cures."
        return Finding("warning", "no token: only public data can be read", remedy)
    text = f"the token from {source} is refused: {redact(error.message)}"
    return Finding("error", text, "It has expired, was withdrawn, or is of another forge: put a valid one there.")


def _clock(forge: Forge) -> Finding:
    skew = forge.http.now() - datetime.now(UTC)
    if abs(skew) < SKEWED:
        return Finding("ok", "its clock agrees with ours")
    direction = "ahead of" if skew > timedelta(0) else "behind"
    text = f"its clock is {abs(skew).total_seconds():.0f} s {direction} ours"
    return Finding("warning", text, "Set the clocks by NTP: tokens of apps and cut-off times depend on them.")


def _speaker(source: str | None, user: User | Unknown) -> Finding:
    who = f"the token from {source}" if source else "no token, and it"
    if isinstance(user, Unknown):
        return Finding("warning", f"{who} speaks for somebody unknown: {redact(user.reason)}", user.remedy)
    variable = (source or "").removeprefix("the variable ")
    return Finding("ok", f"{who} speaks for {user.login}", "" if variable == (source or "") else pass_on_hint(variable))


async def _access(forge: Forge) -> AsyncIterator[Finding]:
    if not await forge.supports(Identity.access):
        return
    access = await or_unknown(forge.identity.access())
    if isinstance(access, Unknown):
        yield Finding("warning", f"what the token may do is not known: {access.reason}", access.remedy)
        return
    yield _scopes(access)
    if access.expires_at is not None:
        ending = access.expires_at - forge.http.now() < SOON
        yield Finding("warning" if ending else "ok", f"the token ends at {access.expires_at:%Y-%m-%d %H:%M} UTC")
    for quota in access.quotas:
        yield _quota(quota)


def _scopes(access: Access) -> Finding:
    if isinstance(access.scopes, Unknown):
        return Finding("ok", f"the token's scopes are not told: {access.scopes.reason}", access.scopes.remedy)
    return Finding("ok", f"the token's scopes: {', '.join(access.scopes) or 'none'}")


def _quota(quota: RateLimitStatus) -> Finding:
    text = f"rate limit {quota.name}: {quota.left:,} of {quota.limit:,} left until {quota.resets_at:%H:%M} UTC"
    return Finding("warning" if quota.left * 100 < quota.limit * LOW else "ok", text)


async def _capabilities(forge: Forge) -> Finding:
    """Ask for every operation; where only the server can tell, it is asked."""
    names = [operation.__qualname__ for operation in operations()]
    answers: list[Support | Unknown] = await map_concurrently(
        operations(), lambda operation: or_unknown(forge.supports(operation))
    )
    lacking = [name for name, answer in zip(names, answers, strict=True) if isinstance(answer, Unknown) or not answer]
    if not lacking:
        return Finding("ok", f"all {len(names)} operations are there")
    text = f"{len(names) - len(lacking)} of {len(names)} operations are there; not {', '.join(lacking)}"
    return Finding("ok", text, "`stithy explain TOOL --ask` says what that means for a tool.")
