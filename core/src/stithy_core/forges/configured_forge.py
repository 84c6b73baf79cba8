"""A forge of the settings, and which of its repositories tools may access."""

from fnmatch import fnmatchcase

from attrs import frozen

from stithy_core.errors import Refused
from stithy_core.spi import ForgeConfig, RepositoryRef


@frozen(kw_only=True)
class ConfiguredForge:
    """A forge of the settings.

    Args:
        config: Its alias, kind and URL.
        repositories: Patterns of the repositories that tools may access; empty for all.
    """

    config: ForgeConfig
    repositories: tuple[str, ...] = ()

    def admit(self, repository: RepositoryRef) -> None:
        """Check that tools may access a repository.

        Raises:
            Refused: No pattern of the settings matches it.
        """
        # Forges ignore the case of names, so an allow-list must as well.
        name = str(repository).lower()
        if self.repositories and not any(fnmatchcase(name, pattern.lower()) for pattern in self.repositories):
            raise self.create_refusal(str(repository))

    def create_refusal(self, what: str) -> Refused:
        """Create the error for something that is in none of the repositories of the settings."""
        return Refused(
            f"{what} is not among the repositories that {self.config.alias} may touch here",
            suggestion=f"They are: {', '.join(self.repositories)}.",
        )
