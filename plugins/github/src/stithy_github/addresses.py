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


def to_rest_url(url: str) -> str:
    """Give the address of the REST API."""
    scheme, host = _split(url)
    return f"{scheme}://{SUBDOMAIN}{host}" if _is_hosted(host) else url.rstrip("/") + REST


def to_graphql_url(url: str) -> str:
    """Give the address of the GraphQL API."""
    scheme, host = _split(url)
    return f"{scheme}://{SUBDOMAIN}{host}/graphql" if _is_hosted(host) else url.rstrip("/") + GRAPHQL


def to_web_url(url: str) -> str:
    """Give the address that people use, also where that of an API was written; any other one stays as it is."""
    scheme, host = _split(url)
    bare = host.removeprefix(SUBDOMAIN)
    if bare != host and _is_hosted(bare):
        return f"{scheme}://{bare}"
    if host == f"www.{HOME}":
        return f"{scheme}://{HOME}"
    stripped = url.rstrip("/")
    for path in (REST, GRAPHQL):
        stripped = stripped.removesuffix(path)
    return stripped


def to_api_url(page: str, place: str) -> str:
    """Give where the REST API has something that only GraphQL told of, which knows pages and no such addresses.

    Args:
        page: The page, of a pull request or of something on it, by its repository's present name; it may be empty.
        place: The rest of the path below the repository, such as `pulls/comments/5`.
    """
    path = urlsplit(page).path.split("/")
    if len(path) < REPOSITORY:
        return ""
    scheme, host = _split(page)
    return f"{to_rest_url(f'{scheme}://{host}')}/repos/{path[1]}/{path[2]}/{place}"


def _split(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _is_hosted(host: str) -> bool:
    """Say whether GitHub runs it: github.com, or a tenant such as octo.ghe.com."""
    return host == HOME or (host.endswith(TENANTS) and not host.startswith(SUBDOMAIN))
