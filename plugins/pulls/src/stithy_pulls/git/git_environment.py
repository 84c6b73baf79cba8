"""What a git of ours is told by its environment: nothing of the user's and nothing of a stranger's.

A configuration of the user or the system could run programs or change what a merge gives, so that two people would get
two answers. The environment carries ours, which is stronger than what stands in a repository.
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
    "HOME": os.devnull,  # where curl would look for a .netrc
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
    "http.followRedirects": "false",  # the token is for this place
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
# It answers `get` alone; what git asks on standard input is not looked at, since the setting's name holds the host.
HELPER = '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$STITHY_GIT_USER" "$STITHY_GIT_SECRET"; }; f'


def build_git_config(remote: GitRemote, *, lazy: bool) -> dict[str, str]:
    """Give the configuration of a git that reads a forge.

    Args:
        remote: Where.
        lazy: Whether git may fetch by itself what is missing in a partial clone.
    """
    place = urlsplit(remote.url)
    return {
        **SETTINGS,
        f"protocol.{place.scheme}.allow": "always",
        "remote.origin.url": remote.url,
        **({"remote.origin.promisor": "true", "remote.origin.partialclonefilter": FILTER} if lazy else {}),
        **({"http.sslCAInfo": remote.ca_file} if remote.ca_file else {}),
        "credential.helper": "",
        **({f"credential.{place.scheme}://{place.netloc}.helper": HELPER} if remote.secret else {}),
    }


def build_environment(settings: Mapping[str, str], remote: GitRemote | None = None) -> dict[str, str]:
    """Give the whole environment of a child.

    Args:
        settings: The configuration.
        remote: Whose secret the child may hand in; without one it has none.
    """
    passed = {name: os.environ[name] for name in PASSED if name in os.environ}
    numbered = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings.items()):
        numbered |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    secret = {"STITHY_GIT_USER": remote.user, "STITHY_GIT_SECRET": remote.secret} if remote and remote.secret else {}
    return {**passed, **FIXED, **numbered, **secret}
