"""Lockdown: texts by people who may not push to the repository are withheld from tools, and so from the agent.

Whoever can comment can address an agent that reads the comments. Whoever may push could change the code itself, so
nothing is gained by withholding what they write.
"""

from stithy_core.spi import CallWrapperSpec, ForgeConfig, ForgeGuardSpec, WrappedTool, hookimpl

STITHY_API = 0


def is_locked_down(config: ForgeConfig) -> bool:
    """Return whether the settings want lockdown for a forge."""
    return config.lockdown


def reads_forge(tool: WrappedTool) -> bool:
    """Return whether a tool uses operations of a forge."""
    return bool(tool.spec.needs)


@hookimpl
def stithy_guards() -> list[ForgeGuardSpec]:
    """Guard the forges that the settings lock down."""
    guard = ForgeGuardSpec(
        name="lockdown", guard="stithy_core.builtin.lockdown.push_guard:PushGuard", applies=is_locked_down, order=-10
    )
    return [guard]


@hookimpl
def stithy_call_wrappers() -> list[CallWrapperSpec]:
    """Describe the note that counts withheld texts. No call is slowed down by it: the guard adds the note."""
    wrapper = CallWrapperSpec(
        name="lockdown", wrapper="stithy_core.builtin.lockdown.push_guard:WithheldNote", applies=reads_forge
    )
    return [wrapper]
