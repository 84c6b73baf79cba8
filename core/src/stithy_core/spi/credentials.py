"""Where a kind of forge finds tokens that the settings do not name, and how an app gets one."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from attrs import field, frozen

from stithy_core.errors import ConfigError

if TYPE_CHECKING:
    from stithy_core.spi.forge import Http, Link


@frozen(kw_only=True)
class Token:
    """What lets a request in: `source` is what people may be told in its place, such as `gh auth token`."""

    value: str = field(repr=False)
    source: str
    expires_at: datetime | None = None


@frozen(kw_only=True)
class AppKey:
    """What an app proves itself with: its id, its private key as PEM, and its installation's id, if it is known."""

    app: str
    private_key: str = field(repr=False)
    installation: str = ""


class Credentials:
    """What a kind of forge knows of tokens. The core keeps what is found, and asks again when the forge refuses it.

    Args:
        link: The forge that the token is for; it must never be one of another host.
        environ: The environment.
        connect: Gives a way to the forge that carries another token.
    """

    def __init__(self, link: "Link", environ: Mapping[str, str], connect: "Callable[[Token], Http]") -> None:
        self.link = link
        self.environ = environ
        self.connect = connect

    async def find(self) -> Token | None:
        """Look for a token in the usual places of this kind of forge; None means public data only."""
        return None

    async def exchange(self, key: AppKey) -> Token:
        """Get a token for an app; the core renews it before its end.

        Raises:
            ConfigError: This kind of forge has no apps, or the key is none.
        """
        raise ConfigError(
            f"forges of the kind {self.link.kind!r} have no apps",
            suggestion=f"Give [forges.{self.link.alias}] a token from a variable, a file or a command.",
            details={"app": key.app},
        )
