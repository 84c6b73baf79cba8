"""The environment of git processes: nothing of the user's configuration, and nothing of the repository's.

Configuration of the user or the system can run programs or change the result of a merge, so two people would get two
answers. Configuration in the environment overrides that of a repository.
"""

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from stithy_core.spi import GitRemote

PASSED = (
    *("PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP"),
    *("http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"),
)
FIXED = {
    "GIT_ASKPASS": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "HOME": os.devnull,  # curl looks for .netrc there
    "LC_ALL": "C",
    "XDG_CONFIG_HOME": os.devnull,
}
SETTINGS = {
    "advice.detachedHead": "false",
    "core.attributesFile": os.devnull,
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "http.followRedirects": "false",  # the token is for this host only
    "http.lowSpeedLimit": "1",
    "http.lowSpeedTime": "60",
    "maintenance.auto": "false",
    "merge.conflictStyle": "merge",
    "merge.directoryRenames": "conflict",
    "merge.renames": "true",
    "protocol.allow": "never",
    "protocol.version": "2",
    "submodule.recurse": "false",
}
FILTER = "blob:none"
# Answers `get` only. It need not check the host on standard input: git calls it for the host in the setting's name.
HELPER = '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$STITHY_GIT_USER" "$STITHY_GIT_SECRET"; }; f'


def build_git_config(remote: GitRemote, *, lazy: bool) -> dict[str, str]:
    """Return the git configuration for reading a forge.

    Args:
        remote: The forge's repository.
        lazy: Whether git may fetch missing objects of a partial clone by itself.
    """
    url = urlsplit(remote.url)
    return {
        **SETTINGS,
        f"protocol.{url.scheme}.allow": "always",
        "remote.origin.url": remote.url,
        **({"remote.origin.promisor": "true", "remote.origin.partialclonefilter": FILTER} if lazy else {}),
        **({"http.sslCAInfo": remote.ca_file} if remote.ca_file else {}),
        "credential.helper": "",
        **({f"credential.{url.scheme}://{url.netloc}.helper": HELPER} if remote.secret else {}),
    }


def build_environment(settings: Mapping[str, str], remote: GitRemote | None = None) -> dict[str, str]:
    """Return the whole environment of a git process.

    Args:
        settings: The git configuration.
        remote: The repository whose credentials the process may use; None for a process without credentials.
    """
    passed = {name: os.environ[name] for name in PASSED if name in os.environ}
    numbered = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings.items()):
        numbered |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    secret = {"STITHY_GIT_USER": remote.user, "STITHY_GIT_SECRET": remote.secret} if remote and remote.secret else {}
    return {**passed, **FIXED, **numbered, **secret}
