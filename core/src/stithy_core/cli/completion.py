"""`stithy completion`, and the names that the shell completes."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

VARIABLE = "_STITHY_COMPLETE"
"""The variable by which a shell asks click for completions: `_`, the program's name, and `_COMPLETE`."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Write the script that completes commands, options and names of tools in a shell.

    \b
    bash   stithy completion bash > ~/.local/share/bash-completion/completions/stithy
    zsh    stithy completion zsh > ~/.zfunc/_stithy    (with fpath+=~/.zfunc before compinit)
    fish   stithy completion fish > ~/.config/fish/completions/stithy.fish
    """  # noqa: D301 -- the backspace is click's mark for lines to leave as they are
    from click.shell_completion import get_completion_class

    shell_class = get_completion_class(shell)
    if shell_class is None:  # click always has the three
        raise click.UsageError(f"click has no completion for {shell}")
    click.echo(shell_class(ctx.find_root().command, {}, "stithy", VARIABLE).source())


def complete_tool_name(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> "list[CompletionItem]":  # noqa: ARG001 -- click's signature
    """Return the tools whose names begin with what was typed, each with its title."""
    from click.shell_completion import CompletionItem

    from stithy_core.cli.command_support import create_app, read_app_options

    tools = create_app(read_app_options(ctx)).executor.registry.tools
    return [CompletionItem(name, help=tool.spec.title) for name, tool in tools.items() if name.startswith(incomplete)]
