"""`stithy plugins new`: a complete distribution of a plugin from the templates of this package; it needs Copier."""

import re
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import distributions, entry_points
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from stithy_core.errors import ConfigError
from stithy_core.plugins.installed_plugins import normalize_name
from stithy_core.spi import API
from stithy_core.version import __version__

TEMPLATES = Path(__file__).with_name("templates")
PREFIX = "stithy-"
NAME = re.compile(rf"(?:{PREFIX})?(?P<short>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)")
MOST_CHARACTERS = 32
"""Of a name without `stithy-`: the lines of the templates are at most 120 characters long with it."""
RELEASED = (
    *(
        "stithy-archdocs",
        "stithy-ci",
        "stithy-client",
        "stithy-comments",
        "stithy-core",
        "stithy-gitea",
        "stithy-github",
        "stithy-gitlab",
        "stithy-http",
        "stithy-init",
        "stithy-interface",
    ),
    *("stithy-pulls", "stithy-redis", "stithy-sandbox", "stithy-testing", "stithy-view"),
)
"""The distributions that are released with this one; a test compares them with the repository."""
DESCRIPTIONS = {
    "forge": "The forge {title} as a plugin of stithy",
    "parser": "A parser of the CI logs of {title}",
    "tool": "{title}: tools for stithy",
}
"""By kind of plugin."""
TOPICS = {
    "forge": "Topic :: Software Development :: Version Control",
    "parser": "Topic :: Software Development :: Testing",
    "tool": "Topic :: Software Development",
}
"""The classifier by kind of plugin; docs/plugins/publishing.md, 'Metadata' has them."""
GROUPS = {"forge": "stithy", "parser": "ci_failures", "tool": "stithy"}
"""The group of the entry point, by kind of plugin."""


@frozen(kw_only=True)
class PluginNames:
    """The names in a new distribution.

    Args:
        short: The name of the entry point, and of the kind of forge: `pond`.
    """

    short: str

    @property
    def distribution(self) -> str:
        """The name of the distribution: `stithy-pond`."""
        return f"{PREFIX}{self.short}"

    @property
    def package(self) -> str:
        """The name of the import package: `stithy_pond`."""
        return self.distribution.replace("-", "_")

    @property
    def words(self) -> Sequence[str]:
        """The capitalized words of the name."""
        return [word.capitalize() for word in self.short.split("-")]


def parse_name(text: str) -> PluginNames:
    """Parse the name of a new plugin, with or without `stithy-`.

    Raises:
        ConfigError: It is not a valid name of a distribution.
    """
    match = NAME.fullmatch(text)
    if match is None or len(match["short"]) > MOST_CHARACTERS:
        raise ConfigError(
            f"invalid plugin name {text!r}",
            suggestion=f"Use at most {MOST_CHARACTERS} lower-case letters, digits and single hyphens, and begin with a "
            "letter, such as 'pond' or 'stithy-pond'.",
        )
    return PluginNames(short=match["short"])


def check_unused(names: PluginNames, kind: str) -> None:
    """Check that no other plugin has these names.

    Raises:
        ConfigError: A distribution that is installed or released with this one has one of them.
    """
    installed = {normalize_name(distribution.metadata["Name"] or "") for distribution in distributions()}
    if names.distribution in installed.union(RELEASED):
        raise ConfigError(f"the distribution {names.distribution!r} exists already", suggestion="Choose another name.")
    for entry in entry_points(group=GROUPS[kind]):
        if normalize_name(entry.name) == names.short:
            owner = entry.dist.name if entry.dist else entry.value
            raise ConfigError(
                f"the entry point {names.short!r} belongs to {owner!r} already", suggestion="Choose another name."
            )


def find_author() -> str:
    """Return the user's name in the settings of git; empty without one."""
    command = ["git", "config", "--get", "user.name"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603 -- fixed
    except OSError:
        return ""


def list_steps(names: PluginNames) -> Sequence[str]:
    """Return the command lines from the new distribution to its passing tests."""
    return [f"cd {names.distribution}", 'python -m pip install --editable ".[dev]"', "python -m pytest"]


def create_plugin(names: PluginNames, kind: str, author: str, folder: Path) -> Path:
    """Create the distribution in a new folder, which has its name.

    Args:
        names: Its names.
        kind: `forge`, `parser` or `tool`.
        author: The author, for the licence and the metadata.
        folder: The folder to create it in.

    Returns:
        The new folder.

    Raises:
        ConfigError: The folder cannot be written, or has something of that name, or Copier is not installed.
    """
    target = folder / names.distribution
    if target.exists() or target.is_symlink():
        raise ConfigError(
            f"'{target}' exists already",
            suggestion="Remove it, or name another folder with --into; nothing was written.",
        )
    try:
        with tempfile.TemporaryDirectory(prefix=".stithy-new-", dir=folder) as scratch:
            created = Path(scratch) / names.distribution
            for part in ("common", kind):
                _render_template(TEMPLATES / part, created, _build_values(names, kind, author))
            # A folder that appeared meanwhile is not replaced, unless it is empty.
            return created.rename(target)
    except OSError as error:
        raise ConfigError(
            f"cannot create '{target}': {error.strerror}", suggestion="Name an existing, writable folder with --into."
        ) from error


def _build_values(names: PluginNames, kind: str, author: str) -> dict[str, Any]:
    """Return the variables of the templates."""
    title = " ".join(names.words)
    return {
        "api": API,
        "author": author,
        "class_name": "".join(names.words),
        "description": DESCRIPTIONS[kind].format(title=title),
        "identifier": names.short.replace("-", "_"),
        "kind": kind,
        "name": names.distribution,
        "package": names.package,
        "range": f">={__version__.rpartition('.')[0]}",
        "short": names.short,
        "steps": list_steps(names),
        "title": title,
        "topic": TOPICS[kind],
        "variable": names.short.replace("-", "_").upper(),
        "year": datetime.now(UTC).year,
    }


def _render_template(template: Path, target: Path, values: dict[str, Any]) -> None:
    """Render one template into a folder.

    Raises:
        ConfigError: Copier is not installed.
    """
    try:
        from copier import run_copy
    except ImportError as error:
        raise ConfigError(
            "`stithy plugins new` needs the package copier", suggestion='Run: pip install "stithy-testing[new]"'
        ) from error
    run_copy(str(template), target, data=values, defaults=True, quiet=True)


def _check_author(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str:  # noqa: ARG001 -- click's signature
    """Return the author: the option, or the user of git.

    Raises:
        BadParameter: There is none, or it has line breaks.
    """
    author = (find_author() if value is None else value).strip()
    if not author or not author.isprintable():
        found = "git config user.name has none" if value is None else f"got {value!r}"
        raise click.BadParameter(f"expected a name in one line; {found}")
    return author


@click.command()
@click.argument("name")
@click.option("--tool", "kind", flag_value="tool", help="A plugin with tools.")
@click.option("--forge", "kind", flag_value="forge", help="A plugin for a kind of forge.")
@click.option("--parser", "kind", flag_value="parser", help="A parser of CI logs.")
@click.option(
    "--into",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path(),
    help="The folder to create it in; by default the working directory.",
)
@click.option("--author", metavar="NAME", callback=_check_author, help="For the licence; by default the user of git.")
def new(name: str, kind: str | None, folder: Path, author: str) -> None:
    """Create a plugin: a distribution with tests, type checks, CI, a licence and a README.

    NAME is that of the distribution, with or without `stithy-`. Nothing is overwritten. The output ends with the
    commands that install the plugin and run its tests.
    """
    if kind is None:
        raise click.UsageError("expected --tool, --forge or --parser")
    names = parse_name(name)
    check_unused(names, kind)
    created = create_plugin(names, kind, author, folder)
    click.echo(f"Created {created}. Next, in a virtual environment:\n")
    first, *rest = list_steps(names)
    for step in (first if folder == Path() else f"cd {shlex.quote(str(created))}", *rest):
        click.echo(f"    {step}")
