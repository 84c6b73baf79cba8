"""The command `stithy init`."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import click
from attrs import frozen

from stithy_core.cli.command_support import AppOptions, create_app, format_app_options, with_app_options
from stithy_core.config import TokenSource, list_set_variables, user_file
from stithy_core.errors import ConfigError
from stithy_core.redaction import redact, remember
from stithy_init.host_setups import SETUPS, HostSetup, Machine, Scope

if TYPE_CHECKING:
    from stithy_core.app import App
    from stithy_init.file_changes import ChangeRecord, FileChange
    from stithy_init.forge_table import ForgeAnswers

PASSED_ON = (
    *("STITHY_CONFIG", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
    *("http_proxy", "https_proxy", "no_proxy", "ALL_PROXY", "all_proxy", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
)
"""Variables that decide what the server reads and how it connects; a host with a fixed list must be given them."""
UV_BUCKETS = re.compile(r"(archive|environments|builds)-v\d+$")
"""The folders of uv's cache that have environments: of `uvx`, and of scripts and `uv run --with`."""
NAMES = ", ".join(setup.name for setup in SETUPS)


@frozen(kw_only=True)
class InitOptions:
    """The options of the command line."""

    hosts: tuple[str, ...]
    scope: Scope
    forge: str | None
    kind: str
    alias: str
    token_env: str | None
    token_file: Path | None
    token_command: str | None
    token_stdin: bool
    no_forge: bool
    no_try: bool
    print_only: bool
    yes: bool
    undo: bool

    @property
    def asks(self) -> bool:
        """Whether the user can be asked."""
        return not (self.yes or self.print_only) and sys.stdin.isatty()


@click.command()
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAME",
    type=click.Choice([setup.name for setup in SETUPS]),
    help=f"A host to set up, installed or not; may be repeated. By default all that are found: {NAMES}.",
)
@click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    show_default=True,
    help="Write the user's files, for all projects, or those of this project.",
)
@click.option("--forge", metavar="URL", help="Add this forge to stithy.toml. github.com needs no entry.")
@click.option("--kind", default="", metavar="KIND", help="With --forge: its kind; by default, it is found out.")
@click.option("--alias", default="", metavar="NAME", help="With --forge: its alias; by default, of the host's name.")
@click.option("--token-env", metavar="NAME", help="With --forge: the variable that has its token.")
@click.option(
    "--token-file", metavar="PATH", type=click.Path(path_type=Path), help="With --forge: the file that has its token."
)
@click.option("--token-command", metavar="LINE", help="With --forge: the command that prints its token.")
@click.option("--token-stdin", is_flag=True, help="Write the token on standard input to a new --token-file, mode 0600.")
@click.option("--no-forge", is_flag=True, help="Do not ask for a forge.")
@click.option("--no-try", is_flag=True, help="Write the forge without asking its server.")
@click.option("--print", "print_only", is_flag=True, help="Show what would be written, and write nothing.")
@click.option("--undo", is_flag=True, help="Undo what was written: files that nothing else changed, byte for byte.")
@click.option("--yes", "-y", is_flag=True, help="Write without a question.")
@with_app_options
def init(app_options: AppOptions, /, **options: Any) -> None:
    """Add the server to the settings of the agent hosts on this machine.

    It shows the lines that would change, and asks before it writes. The entry has the absolute path of this program and
    the names of variables, never a token. Comments and everything else in the files stay. Options such as --read-only
    become options of the server.
    """
    chosen = InitOptions(**options)
    _check_options(chosen)
    sys.exit(_undo(chosen) if chosen.undo else _set_up(chosen, app_options))


def _check_options(options: InitOptions) -> None:
    given = [options.token_env, options.token_file, options.token_command]
    if sum(value is not None for value in given) > 1:
        raise click.UsageError("--token-env, --token-file and --token-command exclude each other")
    if options.forge is None and (any(value is not None for value in given) or options.kind or options.alias):
        raise click.UsageError("--kind, --alias and the options of a token require --forge")
    if options.token_stdin and options.token_file is None:
        raise click.UsageError("--token-stdin requires --token-file")


def _set_up(options: InitOptions, app_options: AppOptions) -> int:
    """Plan, show and write; return the exit code."""
    from stithy_init.server_entries import find_project, find_setups, plan_entries

    app = create_app(app_options)
    machine = Machine(Path.home(), find_project(Path.cwd()), os.environ)
    setups = find_setups(options.hosts, SETUPS, machine)
    _check_environment(Path(sys.prefix), options)
    forge_changes, variables = _set_up_forge(app, options, machine.project)
    command = [find_program(), "serve", *format_app_options(app_options)]
    changes, errors = plan_entries(setups, machine, options.scope, command, variables)
    _show_plan(setups, machine, options, changes, errors)
    for change in forge_changes:
        _show_change(change)
    pending = [change for change in (*forge_changes, *changes) if change.changes]
    failed = _write(pending, options)
    if not setups and not forge_changes:
        click.echo(f"No agent host was found. Name one with --host: {NAMES}", err=True)
        return 1
    return 1 if errors or failed else 0


def _check_environment(prefix: Path, options: InitOptions) -> None:
    """Raise if hosts would be told a program that does not stay; with --print, show that.

    Raises:
        ConfigError: `uvx` or `pipx run` made the environment.
    """
    if not is_temporary(prefix):
        return
    text = f"this program does not stay: it is in a cache, {prefix}"
    remedy = 'Run: uv tool install "stithy[all]" or pipx install "stithy[all]", and then: stithy init'
    if not options.print_only:
        raise ConfigError(f"{text}; nothing was written", suggestion=remedy)
    _show_finding("warning", text, remedy)


def is_temporary(prefix: Path) -> bool:
    """Return whether an environment is in the cache of uv or pipx: they delete what was not used for some time.

    Both tag their cache (https://bford.info/cachedir/). An environment that stays may have such a tag in its own
    folder, or in one that its owner excludes from backups.
    """
    for folder in prefix.parents:
        tag = folder / "CACHEDIR.TAG"
        if tag.is_file() and (UV_BUCKETS.match(prefix.relative_to(folder).parts[0]) or b"pipx" in tag.read_bytes()):
            return True
    return False


def find_program() -> str:
    """Return the absolute path of this program; links stay, so that an update of what they lead to is used."""
    called = Path(sys.argv[0])
    if called.stem == "stithy" and (found := shutil.which(called) or shutil.which(called.name)):
        return os.path.abspath(found)  # noqa: PTH100 -- resolve() would follow the links
    return str(Path(sys.executable).with_name("stithy"))


def _set_up_forge(
    app: "App", options: InitOptions, project: Path
) -> tuple[list["FileChange"], tuple[Sequence[str], Sequence[str]]]:
    """Plan the table of a forge, if the user named one; return the variables that the server reads as well."""
    answers = _read_answers(options) if options.forge is not None else _ask_for_forge(app, options)
    sources = [forge.token for forge in app.config.forges.values()] + ([answers.token] if answers else [])
    tokens, addresses = list_set_variables(app.environ)
    named = [source.env for source in sources if source is not None and source.env is not None]
    tokens = list(dict.fromkeys([*named, *tokens])) or ["GITHUB_TOKEN"]
    others = [*addresses, *(name for name in PASSED_ON if app.environ.get(name))]
    if answers is None:
        _show_forges(app)
        return [], (tokens, others)
    from stithy_init.forge_table import plan_forge, try_forge

    answers = answers.check(app)
    kind = answers.kind
    if not (options.no_try and kind):
        kind, findings = anyio.run(try_forge, app, answers)
        for finding in findings:
            _show_finding(finding.level, f"{answers.url}: {finding.text}", finding.remedy)
        if any(finding.level == "error" for finding in findings) and not options.no_try:
            raise ConfigError(
                "the forge cannot be used; nothing was written",
                suggestion="Correct the address or the token, or write it all the same with --no-try and --kind.",
            )
    return plan_forge(app, answers, kind, options.scope, project), (tokens, others)


def _read_answers(options: InitOptions) -> "ForgeAnswers":
    from stithy_init.forge_table import ForgeAnswers

    token, secret = None, ""
    if options.token_env is not None:
        token = TokenSource(env=options.token_env)
    elif options.token_command is not None:
        token = TokenSource(command=tuple(shlex.split(options.token_command)))
    elif options.token_file is not None:
        path = options.token_file.expanduser().absolute()
        token = TokenSource(file=str(path))
        if options.token_stdin:
            secret = _check_secret(sys.stdin.readline(), path)
    return ForgeAnswers(url=str(options.forge), kind=options.kind, alias=options.alias, token=token, secret=secret)


def _check_secret(text: str, path: Path) -> str:
    """Return a token for a new file.

    Raises:
        ConfigError: It is not a valid token, or the file exists.
    """
    from stithy_core.config import check_token

    secret = check_token(text, "standard input")
    remember(secret)
    if path.exists():
        raise ConfigError(
            f"{path} exists already", suggestion="Leave out --token-stdin to use it, or name another file."
        )
    return secret


def _ask_for_forge(app: "App", options: InitOptions) -> "ForgeAnswers | None":
    """Ask for a forge where none is found; None if there is one, or the user names none."""
    if not options.asks or options.no_forge or app.config.forges:
        return None
    proposed = next(iter(anyio.run(app.forges.list_unknown_hosts)), "")
    if not proposed and app.forges.list_defaults():
        return None
    url = click.prompt("URL of your forge, or none", default=f"https://{proposed}" if proposed else "none").strip()
    if url in {"", "none"}:
        return None
    from stithy_init.forge_table import ForgeAnswers

    token, secret = _ask_for_token()
    return ForgeAnswers(url=url, token=token, secret=secret)


def _ask_for_token() -> tuple[TokenSource | None, str]:
    source = click.prompt(
        "Its token is in: a variable, a file, a command's output, or none",
        type=click.Choice(["variable", "file", "command", "none"]),
        default="variable",
    )
    if source == "variable":
        return TokenSource(env=click.prompt("Name of the variable", default="GITEA_TOKEN")), ""
    if source == "command":
        return TokenSource(command=tuple(shlex.split(click.prompt("Command that prints the token")))), ""
    if source == "none":
        return None, ""
    path = Path(click.prompt("File", default=str(user_file().with_name("token")))).expanduser().absolute()
    if path.exists():
        return TokenSource(file=str(path)), ""
    secret = click.prompt("Token (it is written to this file, which only you may read)", hide_input=True)
    return TokenSource(file=str(path)), _check_secret(secret, path)


def _show_forges(app: "App") -> None:
    urls = [str(forge.config.url) for forge in app.forges.configured.values()]
    defaults = [str(forge.config.url) for forge in app.forges.list_defaults()]
    if urls:
        _show_finding("ok", f"forges: {', '.join(urls)}")
    elif defaults:
        _show_finding("ok", f"{', '.join(defaults)} works without settings; another forge: stithy init --forge URL")
    else:
        _show_finding("warning", "no forge is configured", "Run: stithy init --forge URL")


MARKS = {"ok": ("ok", "green"), "warning": ("!!", "yellow"), "error": ("XX", "red")}


def _show_finding(level: str, text: str, remedy: str = "") -> None:
    mark, colour = MARKS[level]
    click.echo(f"{click.style(mark, fg=colour)}  {redact(text)}")
    if remedy:
        click.echo(f"    {remedy}")


def _show_plan(
    setups: Sequence[HostSetup],
    machine: Machine,
    options: InitOptions,
    changes: Sequence["FileChange"],
    errors: Mapping[str, str],
) -> None:
    """Show what happens in each host's file, and what the user has to approve there."""
    by_path = {change.path: change for change in changes}
    shown: set[Path] = set()
    for setup in setups:
        if setup.title in errors:
            _show_finding("error", f"{setup.title}: {errors[setup.title]}")
            continue
        path = setup.find_file(machine, options.scope)
        change = by_path[path] if path else None
        if change is None:
            continue
        state = "will be set up in" if change.changes else "is set up in"
        _show_finding("ok", f"{setup.title} {state} {change.path}", setup.approval.get(options.scope, ""))
        if change.path not in shown:
            _show_change(change)
        shown.add(change.path)


def _show_change(change: "FileChange") -> None:
    if not change.changes:
        return
    if change.form is None:
        click.echo(f"+++ {change.path} (the token; only you may read it)")
        return
    for line in redact(change.diff()).splitlines():
        colour = {"+": "green", "-": "red"}.get(line[:1])
        click.echo(click.style(line, fg=colour) if colour else line)


def _write(changes: Sequence["FileChange"], options: InitOptions) -> Mapping[Path, str]:
    """Write the changes if the user wants it; return why files could not be written."""
    if options.print_only or not changes:
        return {}
    if not options.yes:
        if not sys.stdin.isatty():
            raise click.UsageError("standard input is not a terminal: write with --yes, or show with --print")
        files = "this file" if len(changes) == 1 else f"these {len(changes)} files"
        click.confirm(f"Write {files}?", default=True, abort=True)
    from stithy_init.file_changes import ChangeJournal, apply_changes

    failed = apply_changes(changes, ChangeJournal())
    for change in changes:
        if change.path in failed:
            _show_finding("error", f"{change.path} was not written: {failed[change.path]}")
        else:
            click.echo(f"wrote {change.path}")
    checks = [setup.check for setup in SETUPS if setup.check and any(setup.name in change.hosts for change in changes)]
    if checks and len(failed) < len(changes):
        click.echo(f"To see it: {'; '.join(checks)}. To undo it: stithy init --undo")
    return failed


def _undo(options: InitOptions) -> int:
    """Undo what was written for the user and for this project, or for some hosts; return the exit code."""
    from stithy_init.file_changes import ChangeJournal, undo_changes
    from stithy_init.server_entries import find_project

    project = find_project(Path.cwd())
    machine = Machine(Path.home(), project, os.environ)
    in_project = {str(setup.find_file(machine, "project")) for setup in SETUPS} | {str(project / "stithy.toml")}
    scope = click.get_current_context().get_parameter_source("scope")
    is_named = scope is not None and scope.name != "DEFAULT"

    def selects(record: "ChangeRecord") -> bool:
        is_here = record.path in in_project
        if options.hosts and not set(options.hosts) & set(record.hosts):
            return False
        if is_named:
            return is_here if options.scope == "project" else not is_here and record.is_user
        return is_here or record.is_user

    done, failed = undo_changes(ChangeJournal(), selects)
    for path in done:
        click.echo(f"restored {path}")
    for path, reason in failed.items():
        _show_finding("error", f"{path} was not changed: {reason}")
    if not done and not failed:
        click.echo("There is nothing to undo.")
    return 1 if failed else 0
