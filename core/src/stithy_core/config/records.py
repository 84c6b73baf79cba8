"""What the settings are once they are read: frozen records that hold no secret."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import Factory, field, frozen

from stithy_core.config.project_file import ProjectFile
from stithy_core.config.source import Source
from stithy_core.config.wording import Misfit


@frozen(kw_only=True)
class TokenSource:
    """Where a token is read from when it is needed: exactly one of a variable, a file, a command and an app.

    Args:
        env: The name of a variable.
        file: The path of a file that holds nothing else.
        command: A program and its arguments; the first line that it prints is the token.
        app: The id of an app that gets tokens for itself.
        private_key: Where the app's key is: a variable or a file.
        installation: The id of the app's installation; the forge is asked where it is empty.

    Raises:
        ValueError: None of the four is set, or more than one, or what belongs to an app stands without it.
    """

    env: str | None = None
    file: str | None = None
    command: tuple[str, ...] | None = None
    app: str | None = None
    private_key: "TokenSource | None" = None
    installation: str = ""

    def __attrs_post_init__(self) -> None:
        if [self.env, self.file, self.command, self.app].count(None) != 3:  # noqa: PLR2004 - three of four are absent
            raise Misfit("must have exactly one of env, file, command and app")
        if self.app is None and (self.private_key or self.installation):
            raise Misfit("must have private_key and installation only beside app")
        if self.app is not None and self.private_key is None:
            raise Misfit('must have a private_key beside app: the path of a PEM file, or { env = "NAME" }')

    def __str__(self) -> str:
        if self.app is not None:
            return f"the app {self.app}"
        if self.command is not None:
            return f"the command {self.command[0]}"  # its arguments may be nobody else's business
        return f"the variable {self.env}" if self.env is not None else f"the file {self.file}"


@frozen(kw_only=True)
class ForgeSettings:
    """One forge: a table `[forges.ALIAS]`, or variables that stand for it.

    Args:
        alias: What callers write before the colon in alias:owner/repo.
        kind: The forge kind that serves it.
        url: Where it is, without a slash at the end; None for the kind's own place.
        token: Where its token comes from; None looks in the usual places of its kind.
        ca_file: The certificates to trust, as a path.
        read_only: Whether every write to it is refused.
        repositories: fnmatch patterns such as "team/*" of what may be touched; empty allows all.
        lockdown: Whether texts by people who may not push are withheld.
    """

    # No file writes it: it is the name of the table.
    alias: str = field(metadata={"written": False})
    kind: str
    url: str | None = None
    token: TokenSource | None = None
    ca_file: str | None = None
    read_only: bool = False
    repositories: tuple[str, ...] = ()
    lockdown: bool = False


@frozen(kw_only=True)
class PluginSettings:
    """The table `[plugins]`.

    Args:
        disabled: The distributions that are not loaded.
        tools: For a tool name that two plugins bring, the distribution that serves it.
    """

    disabled: tuple[str, ...] = ()
    tools: Mapping[str, str] = Factory(dict)


@frozen(kw_only=True)
class ServeSettings:
    """The table `[serve]`.

    Args:
        read_only: Whether every write is refused.
        toolsets: The sets of tools to serve; empty serves all.
        output_schemas: Whether `tools/list` carries them.
        lockdown: Whether texts by people who may not push are withheld, on every forge.
        http: The table `[serve.http]`: an instance of the settings class of stithy-http. If that is not installed, the
            table as it stands in the file. None without the table and its variables.
    """

    read_only: bool = False
    lockdown: bool = False
    toolsets: tuple[str, ...] = ()
    output_schemas: bool = False
    # It may hold a token that was written out by mistake, and nobody has checked it.
    http: Any = field(default=None, repr=False)


@frozen(kw_only=True)
class HttpSettings:
    """The table `[http]`, and the variable STITHY_REDIS_URL.

    Args:
        store: Where answers and limits are kept: "memory:", "sqlite:PATH", or the URL of a plugin's store, as of Redis.
    """

    store: str = field(default="memory:", repr=False)  # an address may hold a password


@frozen(kw_only=True)
class Config:
    """All settings of one server.

    Args:
        path: The file they came from; None when there is none.
        forges: By alias.
        plugins: Which plugins are loaded.
        serve: How they are served.
        http: How forges are asked.
        cursor_key: What STITHY_CURSOR_KEY holds; empty lets a key be made and kept.
        tables: The tables the core does not know, as they stand, for plugins.
        source: What an error needs to name a line.
        project: The search for the project's file, which may not be the one that counts.
    """

    path: Path | None = None
    forges: Mapping[str, ForgeSettings] = Factory(dict)
    plugins: PluginSettings = Factory(PluginSettings)
    serve: ServeSettings = Factory(ServeSettings)
    http: HttpSettings = Factory(HttpSettings)
    cursor_key: str = field(default="", repr=False)
    # They may hold a plugin's secrets, and a Config is easily logged.
    tables: Mapping[str, Mapping[str, Any]] = field(factory=dict, repr=False)
    source: Source = field(factory=Source, repr=False, eq=False)
    project: ProjectFile = field(factory=ProjectFile, repr=False, eq=False)

    @property
    def is_above(self) -> bool:
        """Whether the file that counts is the project's, and the working directory lies below its folder."""
        found = self.project.path
        return found is not None and found == self.path and found.parent != self.project.folders[0]
