"""What branches demand."""

from stithy_core.spi import Rules, Unknown
from stithy_testing.conformance.facts import agrees, sound
from stithy_testing.conformance.refusals import absent_repository
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import needs


class RuleFacts:
    """`Rules.get`."""

    @needs(Rules.get)
    async def test_rules_of_a_protected_branch(self, stage: Stage) -> None:
        """What is demanded is told, or it is unknown; never is it less."""
        rules = sound(await stage.forge.rules.get(stage.repository, "main"))
        assert agrees(rules.protected, expected=True)
        assert agrees(rules.required_approvals, 1)
        assert isinstance(rules.required_checks, Unknown) or sorted(rules.required_checks) == ["build", "test"]

    @needs(Rules.get)
    async def test_rules_name_their_source(self, stage: Stage) -> None:
        """Whatever is demanded says what demands it."""
        rules = await stage.forge.rules.get(stage.repository, "main")
        assert isinstance(rules.protected, Unknown) or rules.sources

    @needs(Rules.get)
    async def test_rules_of_a_free_branch(self, stage: Stage) -> None:
        """A branch without rules demands nothing."""
        rules = sound(await stage.forge.rules.get(stage.repository, "greet"))
        assert agrees(rules.protected, expected=False)
        assert agrees(rules.required_approvals, 0)
        assert agrees(rules.required_checks, ())
        assert rules.sources == ()

    @needs(Rules.get)
    async def test_rules_of_an_absent_repository(self, stage: Stage) -> None:
        """A missing repository is not one without rules."""
        with absent_repository(stage):
            await stage.forge.rules.get(stage.absent, "main")
