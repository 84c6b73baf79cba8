"""Resolve what a caller wrote to a forge and a repository or pull request."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from attrs import evolve

from stithy_core.errors import ConfigError, InvalidArguments, Refused, StithyError
from stithy_core.forges.references import (
    MARKS,
    ConfiguredForge,
    DirectoryReference,
    ParsedReference,
    create_form_error,
    create_place_error,
    escape_text,
    is_number_alone,
    list_paths_below,
    match_forge,
    parse_pull_request,
    parse_repository,
)
from stithy_core.spi import (
    Contribution,
    Credentials,
    Dialect,
    Forge,
    ForgeConfig,
    ForgeGuardSpec,
    ForgeKind,
    ForgeNames,
    Http,
    NamedPlace,
    NotFound,
    PullRequestRef,
    RepositoryRef,
)
from stithy_core.spi.faults import PluginFault, ends_caller, locate

if TYPE_CHECKING:
    from stithy_core.forges.directory import Clone
    from stithy_core.forges.guarded_forge import BoundGuard, FaultBoundary, ResultCheck

LOCKDOWN = "lockdown"
"""The guard that settings can demand."""

Connect = Callable[[ForgeConfig, Dialect, type[Credentials]], Http]


class Forges:
    """The forges of one server. Each is created at its first use, so a server starts even if all of them are down.

    Args:
        configured: The forges of the settings.
        kinds: The kinds of forges, by name.
        resolve: Loads a class that a kind names.
        connect: Creates the HTTP client of a forge.
        directory: The directory whose remotes decide which forge a name without a host means.
        read_only: Whether hosts that need no settings are read-only.
        lockdown: Whether they are locked down.
        origins: The plugins that provide the kinds, by the kind's name.
        result_check: Creates the checks of results of operations.
        guards: The guards of plugins, each with its plugin.
        configure: How to configure a forge, for errors where there is none.
    """

    def __init__(
        self,
        configured: Iterable[ConfiguredForge],
        kinds: Mapping[str, ForgeKind],
        *,
        resolve: Callable[[object], Any],
        connect: Connect,
        directory: Path,
        read_only: bool = False,
        lockdown: bool = False,
        origins: Mapping[str, Contribution] = MappingProxyType({}),
        result_check: "ResultCheck" = lambda _: lambda _: "",
        guards: "Sequence[tuple[ForgeGuardSpec, Contribution]]" = (),
        configure: str = "Run `stithy init --forge URL`, to write stithy.toml.",
    ) -> None:
        self.configured = {forge.config.alias: forge for forge in configured}
        self.kinds = kinds
        self.configure = configure
        self._read_only = read_only
        self._lockdown = lockdown
        self._fenced = any(forge.repositories for forge in self.configured.values())
        self._resolve = resolve
        self._connect = connect
        self._directory = directory
        self._forges_by_alias: dict[str, Forge] = {}
        self._given: dict[str, Forge] = {}
        self._origins = origins
        self._result_check = result_check
        self._guard_specs = guards
        self._guards: Sequence[BoundGuard] | None = None
        self._boundaries: dict[str, FaultBoundary] = {}

    async def pull_request(self, text: str, /, *, local: bool = True) -> tuple[Forge, PullRequestRef]:
        """Return the forge and the pull request that a caller named.

        Args:
            text: A repository's name with a number, or a URL.
            local: Whether the text may be a number alone: of the clone in the working directory.

        Raises:
            InvalidArguments: The text is invalid, or names no known forge.
            Refused: The settings do not allow the repository.
        """
        written = parse_pull_request(text)
        if local and is_number_alone(text) and not any(self._match(written, one) for one in self.configured.values()):
            configured, place = await self._find_number_in_clone(written)
        else:
            configured, place = await self._place(written)
        assert place.pull_request is not None
        repository = place.repository or await self._find_repository_of(configured, place.pull_request)
        configured.admit(repository)
        ref = configured.config.names.create_pull_request_ref(repository, place.pull_request)
        return self._get_guarded(configured), ref

    async def repository(self, text: str | None, /, *, local: bool = True) -> tuple[Forge, RepositoryRef]:
        """Return the forge and the repository that a caller named.

        Args:
            text: A name or URL; None for the clone in the working directory.
            local: Whether the text may be a directory of this machine, a clone of the repository, or None.

        Raises:
            InvalidArguments: The text is invalid, or names no known forge.
            Refused: The settings do not allow the repository.
        """
        configured, repository = await self._find_repository(text, local=local)
        configured.admit(repository)
        return self._get_guarded(configured), repository

    async def _find_repository(self, text: str | None, *, local: bool) -> tuple[ConfiguredForge, RepositoryRef]:
        if text is None:
            return await self._find_clone("repository is required", local=local)
        written = parse_repository(text, local=local)
        if isinstance(written, DirectoryReference):
            return await self._find_by_directory(written.path)
        configured, place = await self._place(written)
        assert place.repository is not None
        return configured, place.repository

    def check_alias(self, alias: str) -> None:
        """Check that a forge has exactly this alias; a host that needs no settings is its own alias.

        Raises:
            InvalidArguments: No forge has it.
        """
        if alias in self.configured:
            return
        taken = {urlsplit(forge.config.url).hostname for forge in self.configured.values()}
        if alias in taken or not any(forge.config.alias == alias for forge in self._well_known(alias)):
            raise self._unknown_forge_error(f"no forge is called {alias!r}")

    def forge(self, alias: str) -> Forge:
        """Return a configured forge without guards; its server is not asked.

        Raises:
            InvalidArguments: No forge has the alias.
            ConfigError: No loaded plugin provides its kind.
        """
        if alias not in self.configured:
            raise self._unknown_forge_error(f"no forge is called {alias!r}")
        return self._get_forge(self.configured[alias])

    async def _place(self, written: ParsedReference) -> tuple[ConfiguredForge, NamedPlace]:
        if written.host:
            return self._find_by_host(written)
        configured = await self._find_by_name(written)
        place = self._match(written, configured)
        if place is None:
            raise self._create_form_error(written, configured)
        return configured, place

    def _match(self, written: ParsedReference, configured: ConfiguredForge) -> NamedPlace | None:
        with self._contain_names(configured):
            return match_forge(written, configured.config.url, configured.config.names)

    def _lies_below(self, written: ParsedReference, configured: ConfiguredForge) -> bool:
        with self._contain_names(configured):
            return any(list_paths_below(written, configured.config.url, configured.config.names))

    def _create_form_error(self, written: ParsedReference, configured: ConfiguredForge) -> InvalidArguments:
        with self._contain_names(configured):
            return create_form_error(written, configured.config.url, configured.config.names)

    @contextmanager
    def _contain_names(self, configured: ConfiguredForge) -> Iterator[None]:
        """Attribute what a kind's `ForgeNames` raises to its plugin."""
        try:
            yield
        except BaseException as error:
            if ends_caller(error):
                raise
            boundary = self._boundary(configured.config.kind)
            raise boundary.record_fault(ForgeNames, f"it raised {locate(error)}", error) from error

    def _find_by_host(self, written: ParsedReference) -> tuple[ConfiguredForge, NamedPlace]:
        near: list[ConfiguredForge] = []
        for known in (list(self.configured.values()), self._well_known(written.host)):
            places = [(forge, place) for forge in known if (place := self._match(written, forge)) is not None]
            if places:
                # Of several forges on one host the one with the longest subpath is meant.
                return max(places, key=lambda one: len(one[0].config.url))
            near += [forge for forge in known if self._lies_below(written, forge)]
        if near:
            raise self._create_form_error(written, max(near, key=lambda forge: len(forge.config.url)))
        beside = any(urlsplit(forge.config.url).netloc.lower() == written.host for forge in self.configured.values())
        part = "this path of " if beside else ""
        raise self._unknown_forge_error(f"no forge is configured for {part}{escape_text(written.host)}")

    async def _find_repository_of(self, configured: ConfiguredForge, number: int) -> RepositoryRef:
        """Return the repository of a pull request that is known by its number alone.

        Raises:
            Refused: The settings do not allow the repository; the error reveals neither its name nor whether it exists.
        """
        names = configured.config.names
        ref = names.create_pull_request_ref(RepositoryRef("", ""), number)
        try:
            repository = (await self._get_forge(configured).pull_requests.get(ref)).ref.repository
            configured.admit(repository)
        except (NotFound, Refused) as error:
            if not configured.repositories:
                raise
            raise configured.create_refusal(f"{names.pull_request} {number}") from error
        return repository

    def _well_known(self, host: str) -> list[ConfiguredForge]:
        """Return the forges that need no settings and may be at a host.

        Where the settings limit the repositories of a forge, hosts without settings are closed.
        """
        bare = host.removeprefix("ssh.")
        return [
            ConfiguredForge(
                config=ForgeConfig(
                    alias=bare,
                    kind=kind.name,
                    url=f"https://{bare}",
                    read_only=self._read_only,
                    lockdown=self._lockdown,
                    names=kind.names,
                ),
            )
            for kind in self.kinds.values()
            if not self._fenced and any(fnmatchcase(bare, pattern) for pattern in kind.hosts)
        ]

    async def _find_by_name(self, written: ParsedReference) -> ConfiguredForge:
        if written.alias in self.configured:
            return self.configured[written.alias]
        if not written.alias and len(self.configured) == 1:
            return next(iter(self.configured.values()))
        self._check_form(written)
        if written.alias:
            raise self._unknown_forge_error(f"no forge is called {written.alias!r}")
        return await self._find_by_working_directory() or self._find_default(written)

    def _find_default(self, written: ParsedReference) -> ConfiguredForge:
        """Return the public forge that a name means where neither the settings nor a clone say which one.

        Raises:
            InvalidArguments: The name fits none, or several.
        """
        if self.configured:
            raise self._unknown_forge_error("several forges are configured, and the name fits each of them")
        defaults = {forge.config.url: forge for forge in self.list_defaults() if self._match(written, forge)}
        if len(defaults) == 1:
            return next(iter(defaults.values()))
        if not defaults:
            raise self._unknown_forge_error("no forge is configured")
        text = f"no forge is configured, and the name fits several public ones: {', '.join(defaults)}"
        raise InvalidArguments(text, suggestion="Write the repository's URL, or add [forges.NAME] to stithy.toml.")

    def _check_form(self, written: ParsedReference) -> None:
        """Check that at least one forge writes names in the form of a text, before it is asked which one is meant.

        Raises:
            InvalidArguments: None does.
        """
        if self.configured:
            if not any(self._match(written, configured) for configured in self.configured.values()):
                raise self._create_form_error(written, next(iter(self.configured.values())))
        elif match_forge(written, "") is None:
            raise create_form_error(written, "")

    def list_defaults(self) -> Sequence[ConfiguredForge]:
        """Return the public forges of the installed kinds, which a bare name means if no forge is configured."""
        if self.configured:
            return ()
        return [forge for kind in self.kinds.values() for forge in self._well_known(urlsplit(kind.url).netloc)]

    async def list_unknown_hosts(self) -> Sequence[str]:
        """Return the hosts of the working directory's remotes that no forge has; empty outside of a repository."""
        try:
            return (await self._read_clone(self._directory)).hosts
        except InvalidArguments:
            return ()

    async def _find_by_working_directory(self) -> ConfiguredForge | None:
        """Return the one forge of the remotes of the working directory; None if there is none, or several."""
        try:
            clone = await self._read_clone(self._directory)
        except InvalidArguments:  # no repository, or no git: nothing decides
            return None
        forges = {configured.config.alias: configured for _, configured, _ in clone.remotes}
        return next(iter(forges.values())) if len(forges) == 1 else None

    async def _find_by_directory(self, path: Path) -> tuple[ConfiguredForge, RepositoryRef]:
        clone = await self._read_clone(path)
        if not clone.remotes:
            raise self._no_remote_error(str(path), clone)
        _, configured, repository = clone.remotes[0]
        return configured, repository

    async def _find_number_in_clone(self, written: ParsedReference) -> tuple[ConfiguredForge, NamedPlace]:
        """Return the pull request of a number alone, in the repository whose clone is the working directory."""
        configured, repository = await self._find_clone("pull request must be in format 'owner/repo#123'")
        number = written.path[0] if written.path[0][0] in MARKS else configured.config.names.mark + written.path[0]
        whole = evolve(written, path=tuple(f"{repository}{number}".split("/")))
        place = self._match(whole, configured)
        if place is None:
            raise self._create_form_error(whole, configured)
        return configured, place

    async def _find_clone(self, lacking: str, *, local: bool = True) -> tuple[ConfiguredForge, RepositoryRef]:
        """Return the one repository whose clone is the working directory.

        Args:
            lacking: What the caller should have written, for errors.
            local: Whether the caller is on this machine; the directories of others are somewhere else.

        Raises:
            InvalidArguments: The working directory is not in a clone, or its remotes are of several repositories.
        """
        if not local:
            raise create_place_error(lacking)
        try:
            clone = await self._read_clone(self._directory)
        except InvalidArguments as error:
            raise create_place_error(f"{lacking}; {error.message}", error.suggestion) from error
        if not clone.remotes:
            raise self._no_remote_error("the working directory", clone, f"{lacking}; ")
        return clone.choose_repository(lacking)

    async def _read_clone(self, path: Path) -> "Clone":
        from stithy_core.forges.directory import Clone, list_remotes, sort_remotes

        remotes, others = [], []
        for remote in sort_remotes(await list_remotes(path)):
            try:
                written = parse_repository(remote.url)
                if not isinstance(written, ParsedReference) or not written.host:
                    continue
                configured, place = self._find_by_host(written)
            except InvalidArguments:  # a remote on a host that is not configured
                others.append(urlsplit(remote.url).netloc)
                continue
            if place.repository is not None:
                remotes.append((remote.name, configured, place.repository))
        return Clone(remotes, others)

    def _no_remote_error(self, place: str, clone: "Clone", lacking: str = "") -> InvalidArguments:
        from stithy_core.forges.directory import propose_forge

        error = self._unknown_forge_error(f"{lacking}no remote of {place} is on a forge that is configured")
        if clone.hosts:
            error.suggestion = propose_forge(clone.hosts[0], sorted(self.kinds))
        return error

    def _get_guarded(self, configured: ConfiguredForge) -> Forge:
        """Return a forge as tools may use it; the guards are imported where one applies.

        Raises:
            ConfigError: The settings want lockdown, and no plugin provides it.
        """
        alias = configured.config.alias
        if alias not in self._given:
            forge = self._get_forge(configured)
            guards = [guard for guard in self._bind_guards() if guard.applies(configured.config)]
            if configured.config.lockdown and not any(guard.spec.name == LOCKDOWN for guard in guards):
                raise ConfigError(
                    f"{alias} cannot be used: lockdown is on, and the plugin {LOCKDOWN!r} is not loaded",
                    suggestion=f"Enable the plugin {LOCKDOWN!r}, or switch lockdown off.",
                )
            if guards or configured.repositories or not forge.writes_by_http:
                from stithy_core.forges.guarded_forge import apply_guards

                forge = apply_guards(forge, configured, guards)
            self._given[alias] = forge
        return self._given[alias]

    def _bind_guards(self) -> "Sequence[BoundGuard]":
        """Return the guards of plugins, in the order in which they run; a server without forges imports none."""
        if self._guards is None:
            if not self._guard_specs:
                return ()
            from stithy_core.forges.guarded_forge import BoundGuard

            bound = [BoundGuard(spec, origin, self._resolve) for spec, origin in self._guard_specs]
            self._guards = sorted(bound, key=lambda guard: guard.spec.order)
        return self._guards

    def _get_forge(self, configured: ConfiguredForge) -> Forge:
        config = configured.config
        if config.alias not in self._forges_by_alias:
            if config.kind not in self.kinds:
                raise ConfigError(
                    f"no loaded plugin provides forges of the kind {config.kind!r} (of {config.alias})",
                    suggestion=f'Run: pip install "stithy-{config.kind}". `stithy plugins` lists what is loaded.',
                )
            self._forges_by_alias[config.alias] = self._create_forge(config)
        return self._forges_by_alias[config.alias]

    def _create_forge(self, config: ForgeConfig) -> Forge:
        kind, boundary = self.kinds[config.kind], self._boundary(config.kind)
        try:
            forge: type[Forge] = self._resolve(kind.forge)
            boundary.inspect(forge)
            credentials: type[Credentials] = self._resolve(kind.credentials or Credentials)
            return boundary.surround(forge(config, self._connect(config, forge.dialect, credentials)))
        except StithyError:
            raise
        except BaseException as error:
            if ends_caller(error):
                raise
            causes = "; ".join((f"it raised {locate(error)}", *(fault.cause for fault in boundary.unsuitable)))
            raise boundary.record_fault(Forge, causes, error) from error

    def _boundary(self, kind: str) -> "FaultBoundary":
        from stithy_core.forges.guarded_forge import FaultBoundary

        if kind not in self._boundaries:
            origin = self._origins.get(kind, Contribution(kind, "", kind))
            self._boundaries[kind] = FaultBoundary(kind, origin, self._result_check)
        return self._boundaries[kind]

    def list_preparations(self) -> Iterator[Callable[[], object]]:
        """Iterate over what the first use of a forge needs, in steps: its class, and the checks of results.

        The kinds are those in the settings; without any, those whose hosts need no settings. No forge is created.
        """
        yield partial(import_module, "stithy_core.forges.guarded_forge")
        configured = {forge.config.kind for forge in self.configured.values()}
        for name, kind in self.kinds.items():
            if name in configured or (not configured and kind.hosts):
                yield partial(self._resolve, kind.forge)
                yield partial(self._resolve, kind.credentials or Credentials)
                yield self._boundary(name).prepare

    @property
    def boundaries(self) -> "Iterable[FaultBoundary]":
        """The boundaries of the kinds whose classes were loaded."""
        return self._boundaries.values()

    @property
    def faults(self) -> Sequence[PluginFault]:
        """The faults of plugins: of each operation of a forge and each guard that failed at its last use."""
        faults = [fault for boundary in self._boundaries.values() for fault in boundary.faults.values()]
        return faults + [guard.last_fault for guard in self._guards or () if guard.last_fault]

    def _unknown_forge_error(self, what: str) -> InvalidArguments:
        choices = [f"{forge.config.alias} ({forge.config.url})" for forge in self.configured.values()]
        if not choices:
            return InvalidArguments(what, suggestion=self.configure)
        remedy = "Write alias:owner/repo, or a URL of one of them."
        return InvalidArguments(f"{what}; there are: {', '.join(choices)}", suggestion=remedy)
