"""The records of the settings: frozen, without secrets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from attrs import Factory, field, frozen

from stithy_core.config.settings_errors import InvalidSetting, Source


@frozen
class ProjectFile:
    """The search for the stithy.toml of a project.

    Args:
        path: The file that is used; None without a file.
        folders: The folders that were searched, in this order.
        refused: Files that were found and not read, since they may belong to another user.
    """

    path: Path | None = None
    folders: tuple[Path, ...] = ()
    refused: tuple[Path, ...] = ()


@frozen(kw_only=True)
class TokenSource:
    """The source of a token: exactly one of a variable, a file, a command and an app. It is read when it is needed.

    Args:
        env: The name of a variable.
        file: The path of a file that contains nothing else.
        command: A program and its arguments; the first line that it prints is the token.
        app: The id of an app, which requests its own tokens.
        private_key: The source of the app's key: a variable or a file.
        installation: The id of the app's installation; if empty, the forge is asked.

    Raises:
        ValueError: None of the four is set, or more than one, or the fields of an app are set without an app.
    """

    env: str | None = None
    file: str | None = None
    command: tuple[str, ...] | None = None
    app: str | None = None
    private_key: "TokenSource | None" = None
    installation: str = ""

    def __attrs_post_init__(self) -> None:
        if [self.env, self.file, self.command, self.app].count(None) != 3:  # noqa: PLR2004 - three of four are absent
            raise InvalidSetting("must have exactly one of env, file, command and app")
        if self.app is None and (self.private_key or self.installation):
            raise InvalidSetting("must have private_key and installation only beside app")
        if self.app is not None and self.private_key is None:
            raise InvalidSetting('must have a private_key beside app: the path of a PEM file, or { env = "NAME" }')

    def __str__(self) -> str:
        if self.app is not None:
            return f"the app {self.app}"
        if self.command is not None:
            return f"the command {self.command[0]}"  # its arguments may be private
        return f"the variable {self.env}" if self.env is not None else f"the file {self.file}"


@frozen(kw_only=True)
class ForgeSettings:
    """One forge: a table `[forges.ALIAS]`, or the variables that replace it.

    Args:
        alias: What callers write before the colon in alias:owner/repo.
        kind: The forge kind that serves it.
        url: Its address without a slash at the end; None for the default address of its kind.
        token: The source of its token; None means the usual places of its kind.
        ca_file: The certificates to trust, as a path.
        read_only: Whether every write to it is refused.
        repositories: fnmatch patterns such as "team/*" of the accessible repositories; empty allows all.
        lockdown: Whether texts by people who may not push are withheld.
    """

    # The name of the table, so no file may set it.
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
        tools: The distribution that serves a tool, by the name of the tool, where two plugins have one of that name.
    """

    disabled: tuple[str, ...] = ()
    tools: Mapping[str, str] = Factory(dict)


AnswerParts: TypeAlias = Literal["auto", "text", "both"]


@frozen(kw_only=True)
class ServeSettings:
    """The table `[serve]`.

    Args:
        read_only: Whether every write is refused.
        toolsets: The sets of tools to serve; empty serves all.
        output_schemas: Whether `tools/list` includes output schemas.
        answers: The parts of an answer that are sent: "text" alone, "both" text and object, or "auto", which sends the
            text alone to the hosts that are known by name.
        lockdown: Whether texts by people who may not push are withheld, on every forge.
        http: The table `[serve.http]`: an instance of the settings class of stithy-http. If that is not installed, the
            table as written in the file. None without the table and its variables.

    Raises:
        ValueError: Output schemas promise an object, and answers have none.
    """

    read_only: bool = False
    lockdown: bool = False
    toolsets: tuple[str, ...] = ()
    output_schemas: bool = False
    answers: AnswerParts = "auto"
    # It is unchecked and may contain a token that was written out by mistake.
    http: Any = field(default=None, repr=False)

    def __attrs_post_init__(self) -> None:
        if self.output_schemas and self.answers == "text":
            raise InvalidSetting('cannot have output_schemas with answers = "text": a schema promises an object')


@frozen(kw_only=True)
class HttpSettings:
    """The table `[http]`, and the variable STITHY_REDIS_URL.

    Args:
        store: The store of answers and limits: "memory:", "sqlite:PATH", or the URL of a plugin's store, such as Redis.
    """

    store: str = field(default="memory:", repr=False)  # an address may hold a password


@frozen(kw_only=True)
class Config:
    """All settings of one server.

    Args:
        path: The file that was read; None without one.
        forges: The forges by alias.
        plugins: Which plugins are loaded.
        serve: How they are served.
        http: How forges are asked.
        cursor_key: The value of STITHY_CURSOR_KEY; if empty, a key is created and stored.
        tables: The tables that the core does not know, unchecked, for plugins.
        source: The source, from which errors determine lines.
        project: The search for the project's file; another file may have been read.
    """

    path: Path | None = None
    forges: Mapping[str, ForgeSettings] = Factory(dict)
    plugins: PluginSettings = Factory(PluginSettings)
    serve: ServeSettings = Factory(ServeSettings)
    http: HttpSettings = Factory(HttpSettings)
    cursor_key: str = field(default="", repr=False)
    # They may contain a plugin's secrets, and a Config is easily logged.
    tables: Mapping[str, Mapping[str, Any]] = field(factory=dict, repr=False)
    source: Source = field(factory=Source, repr=False, eq=False)
    project: ProjectFile = field(factory=ProjectFile, repr=False, eq=False)

    @property
    def is_above_directory(self) -> bool:
        """Whether the file that was read is the project's, and the working directory is below its folder."""
        path = self.project.path
        return path is not None and path == self.path and path.parent != self.project.folders[0]
