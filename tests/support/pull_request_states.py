"""Pull requests in the states that the page shows, in worlds of the sandbox."""

from stithy_core.spi import PullRequestRef, TestCase, TestReport, TestStatus, Verdict
from stithy_sandbox.world import Work, World

HOSTILE = (
    "</script><script>window.hacked=1</script>",
    '<img src=x onerror="window.hacked=1">',
    "javascript:window.hacked=1",
    '"><svg onload=window.hacked=1>',
    "\u202egnp.exe",
)


def build_stack() -> tuple[World, PullRequestRef]:
    """Return a stack of four pull requests, two on one of them, and the second."""
    world = World()
    anvil = world.add_repository("smith/anvil")
    world.add_pull_request(anvil, "Harden the horn", branch="harden")
    middle = world.add_pull_request(anvil, "Temper what was hardened", branch="temper", into="harden")
    world.add_pull_request(anvil, "Polish the face", branch="polish", into="temper", draft=True)
    world.add_pull_request(anvil, "Engrave the mark of the smith", branch="engrave", into="temper")
    reviewer = world.add_user("nora")
    world.add_review(middle, "changes_requested", "Say the unit.", reviewer)
    world.add_thread(middle, "horn.py", 3, "Why 60?\nThe table says 58.", reviewer)
    return world, middle


def build_failures(number: int = 200, files: int = 12) -> tuple[World, PullRequestRef]:
    """Return a pull request whose CI has many failed tests, in some files."""
    world = World()
    anvil = world.add_repository("smith/anvil")
    pr = world.add_pull_request(anvil, "Change the alloy", branch="alloy")
    run = world.add_run(anvil, "alloy", "tests", {"unit": Work(Verdict.FAILED, "many failed\n")})
    cases = tuple(
        _fail(f"tests/test_part_{n % files}.py", f"test_strength_{n}", f"assert {n} == 60") for n in range(number)
    )
    world.set_test_report(anvil, run, TestReport(cases=cases, failed=number))
    return world, pr


def build_hostile() -> tuple[World, PullRequestRef]:
    """Return a pull request whose every text tries to be executed."""
    world = World()
    anvil = world.add_repository("smith/anvil")
    branch = '"><img/src=x/onerror=window.hacked=1>'
    pr = world.add_pull_request(anvil, HOSTILE[0], branch=branch)
    world.add_pull_request(anvil, HOSTILE[1], branch="above", into=branch)
    author = world.add_user("nora")
    for place, text in enumerate(HOSTILE, 1):
        world.add_thread(pr, f"{text[:40]}.py", place, text, author)
    run = world.add_run(anvil, branch, HOSTILE[3], {HOSTILE[1]: Work(Verdict.FAILED, "failed\n")})
    cases = tuple(_fail(text, text, text) for text in HOSTILE)
    world.set_test_report(anvil, run, TestReport(cases=cases, failed=len(cases)))
    return world, pr


def _fail(path: str, name: str, message: str) -> TestCase:
    return TestCase(name=name, class_name=path, status=TestStatus.FAILED, message=message, file=path)
