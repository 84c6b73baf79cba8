"""`stithy completion`, and what the shell is answered."""

import shutil
import subprocess

import pytest

pytestmark = pytest.mark.usefixtures("parrot")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_valid_and_asks_stithy(run, shell):
    script = run("completion", shell).stdout
    assert f"_STITHY_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_another_shell_is_a_wrong_command_line(run):
    assert run("completion", "csh").exit_code == 2


def complete(run, line):
    """Return the completions of the last word of a line, as bash is sent them."""
    count = str(len(line.split(" ")) - 1)
    return run(env={"_STITHY_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": count}).stdout.split()


@pytest.mark.parametrize(
    ("line", "completions"),
    [
        ("stithy comp", ["plain,completion"]),
        ("stithy call par", ["plain,parrot"]),
        ("stithy call --no-plugin parrot par", []),
        ("stithy tools pai", ["plain,paint"]),
        ("stithy explain par", ["plain,parrot"]),
        ("stithy call --js", ["plain,--json"]),
    ],
)
def test_commands_options_and_tools_are_completed(run, line, completions):
    assert complete(run, line) == completions
