"""Web URLs of Gitea and Forgejo."""

API = "/api/v1"


def web_of(url: str) -> str:
    """Return the web URL of a server for its web or API URL."""
    return url.rstrip("/").removesuffix(API).rstrip("/")
