"""URLs of GitHub's APIs from its web URL, and back (docs/forge-behaviour/github.md#addresses).

github.com and the tenants of ghe.com have a separate host for the API, an Enterprise Server has a path.
"""

from urllib.parse import urlsplit

HOME = "github.com"
TENANTS = ".ghe.com"
SUBDOMAIN = "api."
REST = "/api/v3"
GRAPHQL = "/api/graphql"
REPOSITORY = 3
"""How many parts the path of a repository has: the empty part before the first slash, the owner and the name."""


def to_rest_url(url: str) -> str:
    """Return the URL of the REST API."""
    scheme, host = _split_url(url)
    return f"{scheme}://{SUBDOMAIN}{host}" if _is_hosted(host) else url.rstrip("/") + REST


def to_graphql_url(url: str) -> str:
    """Return the URL of the GraphQL API."""
    scheme, host = _split_url(url)
    return f"{scheme}://{SUBDOMAIN}{host}/graphql" if _is_hosted(host) else url.rstrip("/") + GRAPHQL


def to_web_url(url: str) -> str:
    """Return the web URL for the URL of an API; any other URL stays unchanged."""
    scheme, host = _split_url(url)
    bare = host.removeprefix(SUBDOMAIN)
    if bare != host and _is_hosted(bare):
        return f"{scheme}://{bare}"
    if host == f"www.{HOME}":
        return f"{scheme}://{HOME}"
    stripped = url.rstrip("/")
    for path in (REST, GRAPHQL):
        stripped = stripped.removesuffix(path)
    return stripped


def to_api_url(page: str, path: str) -> str:
    """Return the REST URL of an object that GraphQL returned, which has web URLs only; empty without such a URL.

    Args:
        page: The web URL of a pull request or of a part of it, with the repository's current name; it may be empty.
        path: The path below the repository, such as `pulls/comments/5`.
    """
    parts = urlsplit(page).path.split("/")
    if len(parts) < REPOSITORY:
        return ""
    scheme, host = _split_url(page)
    return f"{to_rest_url(f'{scheme}://{host}')}/repos/{parts[1]}/{parts[2]}/{path}"


def _split_url(url: str) -> tuple[str, str]:
    """Return the scheme and the host, in lower case, with its port."""
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _is_hosted(host: str) -> bool:
    """Return whether GitHub runs a host: github.com, or a tenant such as octo.ghe.com."""
    return host == HOME or (host.endswith(TENANTS) and not host.startswith(SUBDOMAIN))
