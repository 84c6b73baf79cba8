"""Where requests may go: the addresses of one forge, and what may be told of the others."""

from collections.abc import Mapping
from urllib.parse import quote_plus, unquote

import httpx

from stithy_core.errors import Rejected
from stithy_core.spi import Dialect, ForgeConfig

UPWARDS = {".", ".."}

Query = Mapping[str, str | int]
Origin = tuple[str, str, int | None]


class Addresses:
    """The addresses of a forge's API.

    Args:
        link: Where the forge is.
        dialect: Where its APIs are below that.
    """

    def __init__(self, config: ForgeConfig, dialect: Dialect) -> None:
        self._config = config
        self._graphql = dialect.graphql
        self._base = dialect.api(config.url).rstrip("/")
        api = httpx.URL(self._base)
        self.base = api.path
        self.origin = origin(api)

    def url(self, path: str, query: Query) -> httpx.URL:
        """Give the URL of a path, or of one of the forge's own URLs.

        Raises:
            Rejected: It is on another host, where the token must not go, or leads upwards to another place.
        """
        if not UPWARDS.isdisjoint(unquote(path.partition("?")[0]).split("/")):
            raise Rejected(f"{path} leads to another place than it names", suggestion="No name can be `.` or `..`.")
        if path.startswith(("https://", "http://")):
            url = self.own(httpx.URL(path))
            given = _given(query)
            return url.copy_merge_params(given) if given else url
        asked = "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in _given(query).items())
        joint = "" if not asked else "&" if "?" in path else "?"
        return httpx.URL(f"{self._base}/{path.lstrip('/')}{joint}{asked}")

    def page(self, path: str) -> str:
        """Give the URL of a path below where people find the forge.

        Raises:
            Rejected: It leads elsewhere.
        """
        home = self._config.url.rstrip("/")
        url = httpx.URL(f"{home}/{path.lstrip('/')}")
        below = url.path.startswith(f"{httpx.URL(home).path.rstrip('/')}/")
        if not below or not UPWARDS.isdisjoint(unquote(path).split("/")) or origin(url) != origin(httpx.URL(home)):
            raise Rejected(f"{path} leads to another place than it names", suggestion="No name can be `.` or `..`.")
        return str(url)

    def graphql(self) -> httpx.URL:
        """Give the URL of the GraphQL API.

        Raises:
            Rejected: The forge has none.
        """
        if self._graphql is None:
            raise Rejected(f"{self._config.alias} has no GraphQL", suggestion="Use the REST API.")
        return self.own(httpx.URL(self._graphql(self._config.url)))

    def own(self, url: httpx.URL) -> httpx.URL:
        """Give a URL back that is the forge's own.

        Raises:
            Rejected: It is another's: its scheme, host or port differs.
        """
        if origin(url) != self.origin:
            place = shown(url.copy_with(path="/"))
            raise Rejected(
                f"{self._config.alias} names a place on another host: {place}",
                suggestion="Nothing was sent there. Check the url of the forge, and the address that it thinks it has.",
            )
        return url


def origin(url: httpx.URL) -> Origin:
    """Give what decides whether a token may go along."""
    return url.scheme, url.host, url.port


def location(response: httpx.Response) -> httpx.URL | None:
    """Give where a redirect leads; None where it does not say, or where nothing can be."""
    if not response.has_redirect_location:
        return None
    try:
        return response.request.url.join(response.headers["location"])
    except httpx.InvalidURL:
        return None


def next_place(response: httpx.Response) -> str:
    """Return where `Link` says that the next page is (RFC 8288), as it is written there; "" where there is none."""
    for config in response.links.values():
        if "next" in config.get("rel", "").lower().split() and (place := config.get("url")):
            return place
    return ""


def shown(url: httpx.URL) -> str:
    """Give a URL as people and programs may see it: without a query, which may be signed, and without a user."""
    return str(url.copy_with(query=None, fragment=None, userinfo=b""))


def _given(query: Query) -> dict[str, str]:
    return {name: _text(value) for name, value in query.items() if value not in ("", None)}


def _text(value: str | int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
