"""`stithy report`: one file with the answers of the tools, whose texts can end or begin nothing."""

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from stithy_core.cli.command_group import list_plugin_commands, stithy
from stithy_sandbox.world import World
from stithy_view.report_page import create_app_page, create_report_page

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
HOSTILE = "</script><script>alert(1)</script><!--<script>"
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
TOOLS = {
    "check_merge_readiness",
    "detect_merge_conflicts",
    "find_unresolved_comments",
    "get_failing_tests",
    "get_review_suggestions",
    "pr_list",
}


@pytest.fixture
def report(tmp_path, monkeypatch):
    def run(*words):
        list_plugin_commands.cache_clear()
        return CliRunner().invoke(stithy, ["report", *words])

    monkeypatch.chdir(tmp_path)
    (tmp_path / "stithy.toml").write_text('[forges.play]\nkind = "sandbox"\n')
    return run


def read_data(page):
    return json.loads(DATA.search(page)[1])


def test_a_report_is_a_file_with_the_answer_of_every_tool(report, tmp_path):
    done = report("smith/anvil#2")
    data = read_data((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert (done.exit_code, done.stdout, data["pr"]) == (0, "report.html\n", "smith/anvil#2")
    assert {tool: answer["is_error"] for tool, answer in data["answers"].items()} == dict.fromkeys(TOOLS, False)
    assert data["answers"]["pr_list"]["structured"]["repository"] == "smith/anvil"


def test_a_report_goes_to_the_output(report, tmp_path):
    assert read_data(report("smith/anvil#2", "-o", "-").stdout)["pr"] == "smith/anvil#2"
    assert not (tmp_path / "report.html").exists()


def test_without_an_answer_there_is_no_report(report, tmp_path):
    done = report("smith/anvil#99")
    assert (done.exit_code, "smith/anvil has no pull request 99" in done.stderr) == (1, True)
    assert not (tmp_path / "report.html").exists()


def test_a_tool_that_is_not_served_is_an_error_of_its_section(report):
    answers = read_data(report("smith/anvil#2", "-o", "-", "--no-plugin", "ci").stdout)["answers"]
    assert answers["get_failing_tests"]["structured"]["error"] == "unknown tool 'get_failing_tests'"
    assert not answers["check_merge_readiness"]["is_error"]


def test_a_wrong_option_is_an_error_of_the_command_line(report):
    assert report("smith/anvil#2", "--nonsense").exit_code == 2


def test_help_describes_the_options(report):
    done = report("--help")
    assert (done.exit_code, "--open" in done.stdout) == (0, True)


async def test_all_pages_of_an_answer_are_in_the_report(answers):
    """The answer of one call has less: it fits into the budget of a model."""
    world = World()
    repository = world.add_repository("smith/anvil")
    pr = world.add_pull_request(repository, "Harden it")
    author = world.add_user("nora")
    for number in range(150):
        world.add_thread(pr, "horn.py", number + 1, f"{number}: {'why? ' * 40}", author)
    read = await answers(f"smith/anvil#{pr.number}", world)
    assert len(read.answers["find_unresolved_comments"].structured["comments"]) == 150


async def test_no_text_ends_the_data(answers):
    world = World()
    pr = world.add_pull_request(world.add_repository("smith/anvil"), HOSTILE)
    page = create_report_page(await answers(f"smith/anvil#{pr.number}", world))
    assert page.count("<script") == create_app_page().count("<script")
    assert read_data(page)["answers"]["pr_list"]["structured"]["pull_requests"][0]["title"] == HOSTILE


def test_the_committed_page_is_built_from_its_sources_and_has_at_most_60_kilobytes(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "plugins" / "view"))
    import build_page

    built = build_page.BUILT.read_text(encoding="utf-8")
    assert built == build_page.build_page(), "run: python plugins/view/build_page.py"
    assert len(built.encode()) <= 60_000
    sys.modules.pop("build_page")


def test_the_page_names_no_address_to_load_from():
    """Beside the policy, which forbids it: the only address is the name of SVG's elements."""
    assert set(re.findall(r"https?://[^\s\"'`]+", create_app_page())) == {"http://www.w3.org/2000/svg"}
