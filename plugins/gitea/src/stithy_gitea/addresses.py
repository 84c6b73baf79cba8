"""Where people find a Gitea or Forgejo, from what they may write."""

API = "/api/v1"


def web_of(url: str) -> str:
    """Give the address that people use, also where that of the API was written."""
    return url.rstrip("/").removesuffix(API).rstrip("/")
