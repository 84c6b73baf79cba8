"""Finds tokens for GitLab, each for its own server."""

from typing import Any

from stithy_core.spi import Credentials, Token
from stithy_gitlab import API, find_web_url
from stithy_gitlab.gitlab_dialect import JOB_VARIABLE

TOKENS = ("GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN", "OAUTH_TOKEN")
HOSTS = ("GITLAB_URL", "GITLAB_HOST", "GITLAB_URI", "GL_HOST")
PLACES = (
    ("GLAB_CONFIG_DIR", "config.yml"),
    ("HOME", ".config/glab-cli/config.yml"),
    ("XDG_CONFIG_HOME", "glab-cli/config.yml"),
    ("HOME", "Library/Application Support/glab-cli/config.yml"),
    ("APPDATA", "glab-cli/config.yml"),
)
"""Where glab keeps its configuration: https://docs.gitlab.com/editor_extensions/gitlab_cli/."""


class GitLabCredentials(Credentials):
    """Tokens of environment variables, of a CI job, of `glab`, and of git's credential helper, in this order."""

    async def find(self) -> Token | None:
        """Return a token for this server; a variable counts for the host that the environment names."""
        kept = self._read_environment() or self._read_job() or self._read_glab()
        return kept or await self.ask_git(f"{self.config.url}{API}/user")

    def _read_environment(self) -> Token | None:
        host = next((self.environ[name] for name in HOSTS if self.environ.get(name)), "gitlab.com")
        return self.variable(*TOKENS) if self._is_mine(host) else None

    def _read_job(self) -> Token | None:
        return self.variable(JOB_VARIABLE) if self._is_mine(self.environ.get("CI_SERVER_URL", "")) else None

    def _is_mine(self, host: str) -> bool:
        return bool(host) and self.is_at(find_web_url(host if "://" in host else f"https://{host}"))

    def _read_glab(self) -> Token | None:
        hosts = self.read_config(PLACES, _parse_yaml).get("hosts")
        for host, entry in hosts.items() if isinstance(hosts, dict) else ():
            token = entry.get("token") if isinstance(entry, dict) else None
            if isinstance(token, str) and token and self.is_at(f"{entry.get('api_protocol') or 'https'}://{host}"):
                return Token(value=token, source=f"glab's configuration for {host}", kept=False)
        return None


def _parse_yaml(text: str) -> Any:
    import yaml

    return yaml.safe_load(text)
