"""Plan a table `[forges.ALIAS]` of `stithy.toml`, and try the forge before anything is written."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from attrs import evolve, frozen

from stithy_core.app import App
from stithy_core.config import SETTINGS_FILE, ForgeSettings, TokenSource, user_file
from stithy_core.config.field_readers import read_address, read_alias, read_variable
from stithy_core.config.settings_errors import InvalidSetting
from stithy_core.errors import ConfigError
from stithy_core.spi import Finding
from stithy_init.documents import InvalidDocument, set_entry
from stithy_init.file_changes import FileChange
from stithy_init.host_setups import Scope

TRIED = "STITHY_INIT_TOKEN"
"""The variable that has a token while it is tried; only this process sees it."""


@frozen(kw_only=True)
class ForgeAnswers:
    """What a user says of a forge, by options or in answers.

    Args:
        url: Its address.
        kind: The kind of forge; if empty, the installed kinds are tried.
        alias: Its alias; if empty, made of the host's name.
        token: The source of its token; None for the usual places.
        secret: A token that is to be written to the file of `token`; empty if the file exists.
    """

    url: str
    kind: str = ""
    alias: str = ""
    token: TokenSource | None = None
    secret: str = ""

    def check(self, app: App) -> "ForgeAnswers":
        """Return the answers with an address in its usual form, and an alias.

        Raises:
            ConfigError: One of them is not valid, or the alias belongs to another forge.
        """
        try:
            url = read_address(self.url if "://" in self.url else f"https://{self.url}")
            alias = read_alias(self.alias or _create_alias(url))
            if self.token is not None and self.token.env is not None:
                read_variable(self.token.env)
        except InvalidSetting as error:
            raise ConfigError(f"the forge {error.format_message(())}") from None
        if self.kind and self.kind not in app.forges.kinds:
            available = ", ".join(sorted(app.forges.kinds)) or "none"
            raise ConfigError(f"unknown kind of forge {self.kind!r}", suggestion=f"Available: {available}.")
        other = app.config.forges.get(alias)
        if other is not None and app.config.path is not None and other.url != url:
            raise ConfigError(
                f"[forges.{alias}] is there already, for {other.url}", suggestion="Choose another --alias."
            )
        return evolve(self, url=url, alias=alias)


def _create_alias(url: str) -> str:
    host = urlsplit(url).hostname or ""
    labels = [label for label in host.split(".") if label not in {"www", "git"} and not label.isdecimal()]
    return re.sub(r"[^A-Za-z0-9_-]", "", labels[0] if labels else "") or "work"


async def try_forge(app: App, answers: ForgeAnswers) -> tuple[str, Sequence[Finding]]:
    """Ask a forge for its version, its user and its operations, as `stithy doctor` does.

    Returns:
        The kind that it is, or the only one that it may be, and the findings.
    """
    from stithy_core.app.doctor import examine_forge

    results: dict[str, list[Finding]] = {}
    for kind in [answers.kind] if answers.kind else _list_kinds(app, answers.url):
        source = TokenSource(env=TRIED) if answers.secret else answers.token
        forge = ForgeSettings(alias=answers.alias, kind=kind, url=answers.url, token=source)
        environ = {**app.environ, TRIED: answers.secret} if answers.secret else app.environ
        config = evolve(app.config, forges={answers.alias: forge})
        trial = App(config, environ=environ, directory=Path.cwd())
        results[kind] = [_hide_variable(finding) async for finding in examine_forge(trial, answers.alias)]
        await trial.connections.aclose()
        if not any(row.level == "error" for row in results[kind]):
            return kind, results[kind]
    if not results:
        raise ConfigError("no plugin for a forge is installed", suggestion='Run: pip install "stithy[gitea]"')
    # The kind whose server answered is the right one, even if it refused the token.
    kind = next((name for name, rows in results.items() if rows and rows[0].level == "ok"), next(iter(results)))
    return kind, results[kind]


def _hide_variable(finding: Finding) -> Finding:
    """Return a finding about a token that the user typed; no variable of the user's has it."""
    remedy = "" if TRIED in finding.remedy else finding.remedy
    return evolve(finding, text=finding.text.replace(f"the variable {TRIED}", "your answer"), remedy=remedy)


def _list_kinds(app: App, url: str) -> Sequence[str]:
    """Return the kinds that a server may be: the one that knows its host, or else all real ones."""
    host = urlsplit(url).netloc
    kinds = {name: kind for name, kind in sorted(app.forges.kinds.items()) if not _is_in_memory(kind.url)}
    known = [name for name, kind in kinds.items() if host in kind.hosts or host == urlsplit(kind.url).netloc]
    return known or list(kinds)


def _is_in_memory(url: str) -> bool:
    return (urlsplit(url).hostname or "").endswith(".invalid")


def plan_forge(app: App, answers: ForgeAnswers, kind: str, scope: Scope, project: Path) -> list[FileChange]:
    """Plan the change of `stithy.toml`, and the file of a token that the user typed.

    Raises:
        ConfigError: The file cannot be edited.
    """
    path = app.config.path or (user_file() if scope == "user" else project / SETTINGS_FILE)
    try:
        change = FileChange.read(path, "toml", ("forges", answers.alias))
        text = change.text
        # Beside a file, the usual variables configure no forge: those that did so until now are written out.
        for forge in app.config.forges.values() if app.config.path is None else ():
            table = {"kind": forge.kind} | ({"url": forge.url} if forge.url else {})
            text = set_entry(text, "toml", ("forges", forge.alias), table)
        text = set_entry(text, "toml", ("forges", answers.alias), _create_table(answers, kind))
    except InvalidDocument as error:
        raise ConfigError(f"{path} was not changed: {error}") from None
    changes = [change.with_text(text)]
    if answers.secret and answers.token is not None:
        token = FileChange(Path(str(answers.token.file)), None, (), None, f"{answers.secret}\n")
        changes.insert(0, token)
    return changes


def _create_table(answers: ForgeAnswers, kind: str) -> Mapping[str, Any]:
    table: dict[str, Any] = {"kind": kind, "url": answers.url}
    if answers.token is None:
        return table
    source = answers.token
    value: str | list[str] = list(source.command) if source.command else str(source.env or source.file)
    return {**table, "token": {"command" if source.command else "env" if source.env else "file": value}}
