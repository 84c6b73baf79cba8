"""What the settings are once they are read: frozen records that hold no secret."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import Factory, field, frozen

from stithy_core.config.source import Source
from stithy_core.config.wording import Misfit


@frozen(kw_only=True)
class TokenSource:
    """Where a token is read from when it is needed; exactly one of the three is set.

    Args:
        env: The name of a variable.
        file: The path of a file that holds nothing else.
        command: A program and its arguments; the first line that it prints is the token.

    Raises:
        ValueError: None of the three is set, or more than one.
    """

    env: str | None = None
    file: str | None = None
    command: tuple[str, ...] | None = None

    def __attrs_post_init__(self) -> None:
        if [self.env, self.file, self.command].count(None) != 2:  # noqa: PLR2004 - two of three are absent
            raise Misfit("must have exactly one of env, file and command")

    def __str__(self) -> str:
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
        token: Where its token comes from; None reads what is public.
        ca_file: The certificates to trust, as a path.
        read_only: Whether every write to it is refused.
        repositories: fnmatch patterns such as "team/*" of what may be touched; empty allows all.
    """

    # No file writes it: it is the name of the table.
    alias: str = field(metadata={"written": False})
    kind: str
    url: str | None = None
    token: TokenSource | None = None
    ca_file: str | None = None
    read_only: bool = False
    repositories: tuple[str, ...] = ()


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
    """

    read_only: bool = False
    toolsets: tuple[str, ...] = ()
    output_schemas: bool = False


@frozen(kw_only=True)
class Config:
    """All settings of one server.

    Args:
        path: The file they came from; None when there is none.
        forges: By alias.
        plugins: Which plugins are loaded.
        serve: How they are served.
        tables: The tables the core does not know, as they stand, for plugins.
        source: What an error needs to name a line.
    """

    path: Path | None = None
    forges: Mapping[str, ForgeSettings] = Factory(dict)
    plugins: PluginSettings = Factory(PluginSettings)
    serve: ServeSettings = Factory(ServeSettings)
    # They may hold a plugin's secrets, and a Config is easily logged.
    tables: Mapping[str, Mapping[str, Any]] = field(factory=dict, repr=False)
    source: Source = field(factory=Source, repr=False, eq=False)
