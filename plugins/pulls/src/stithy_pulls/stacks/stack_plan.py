"""The plan of a stack for a command of this plugin: the answer of the tool has the same as text."""

from attrs import define, frozen

from stithy_core.spi import ForgeConfig, Scope
from stithy_pulls.stacks.restack_steps import StepTerms
from stithy_pulls.stacks.stack_case import StackCase


@frozen(kw_only=True)
class StackPlan:
    """What a call of `manage_stacked_prs` found.

    Args:
        base: The lower pull request under its current name.
        config: The settings of its forge.
        case: What must be done.
        terms: What the steps depend on beside the commits.
    """

    base: str
    config: ForgeConfig
    case: StackCase
    terms: StepTerms


@define
class PlanStore:
    """The plan of the last call. A server keeps none: only a command requests it, and ends after it."""

    requested: bool = False
    config: ForgeConfig | None = None
    plan: StackPlan | None = None


def create_plan_store(scope: Scope) -> PlanStore:
    """Create the one store of a process, for `Scope.shared`."""
    del scope
    return PlanStore()
