"""Addresses of GitHub's APIs from its web address, and back (docs/forge-behaviour/github.md#addresses).

github.com and the tenants of ghe.com have a host of their own for the API, an Enterprise Server has a path.
"""

from urllib.parse import urlsplit

HOME = "github.com"
TENANTS = ".ghe.com"
SUBDOMAIN = "api."
REST = "/api/v3"
GRAPHQL = "/api/graphql"
REPOSITORY = 3
"""How many parts a path has that names a repository: nothing before the first slash, the owner and the name."""


def rest_of(url: str) -> str:
    """Give the address of the REST API."""
    scheme, host = _parts(url)
    return f"{scheme}://{SUBDOMAIN}{host}" if _hosted(host) else url.rstrip("/") + REST


def graphql_of(url: str) -> str:
    """Give the address of the GraphQL API."""
    scheme, host = _parts(url)
    return f"{scheme}://{SUBDOMAIN}{host}/graphql" if _hosted(host) else url.rstrip("/") + GRAPHQL


def web_of(url: str) -> str:
    """Give the address that people use, also where that of an API was written; any other one stays as it is."""
    scheme, host = _parts(url)
    bare = host.removeprefix(SUBDOMAIN)
    if bare != host and _hosted(bare):
        return f"{scheme}://{bare}"
    if host == f"www.{HOME}":
        return f"{scheme}://{HOME}"
    stripped = url.rstrip("/")
    for path in (REST, GRAPHQL):
        stripped = stripped.removesuffix(path)
    return stripped


def api_of(page: str, place: str) -> str:
    """Give where the REST API has something that only GraphQL told of, which knows pages and no such addresses.

    Args:
        page: The page, of a pull request or of something on it, by its repository's present name; it may be empty.
        place: The rest of the path below the repository, such as `pulls/comments/5`.
    """
    path = urlsplit(page).path.split("/")
    if len(path) < REPOSITORY:
        return ""
    scheme, host = _parts(page)
    return f"{rest_of(f'{scheme}://{host}')}/repos/{path[1]}/{path[2]}/{place}"


def _parts(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _hosted(host: str) -> bool:
    """Say whether GitHub runs it: github.com, or a tenant such as octo.ghe.com."""
    return host == HOME or (host.endswith(TENANTS) and not host.startswith(SUBDOMAIN))
