"""Steps of git name the remote of the user's clone, whatever the forge's URLs look like."""

import subprocess

import pytest
from git_forge import git

from stithy_pulls.git.shell_remotes import ShellRemote

PATHS = ("my project/c++.lib", "my%20project/c%2B%2B.lib", "my%20project/_git/c%2B%2B.lib")
OTHER = "https://forge.example/my%20project/c%2B%2B.lib"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://ann@forge.example/org/my%20project/_git/c%2B%2B.lib", "upstream"),
        ("git@ssh.forge.example:v3/org/my%20project/c%2B%2B.lib", "upstream"),
        ("ssh://git@forge.example:22/my project/c++.lib.git", "upstream"),
        ("https://forge.example/my project/c++xlib", OTHER),
        ("https://forge.example/my project/c.lib", OTHER),
        ("https://forge.example/not my project/c++.lib", OTHER),
    ],
)
def test_a_remote_is_found_by_each_form_of_its_path(tmp_path, url, expected):
    git(tmp_path, "init", "-q")
    git(tmp_path, "remote", "add", "upstream", url)
    line = f"printf %s {ShellRemote('my project/c++.lib', OTHER, PATHS).to_shell()}"
    found = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert found.stdout == expected
