"""The page in Chromium: every state, without violations of accessibility, and without a text being executed.

With STITHY_PICTURES=docs/pictures, the pictures of the documentation are written there.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from pull_request_states import HOSTILE, build_failures, build_hostile, build_stack
from serving_http import serving_http

from stithy_core.spi import Contribution
from stithy_testing import make_app
from stithy_view.pull_request_answers import read_answers
from stithy_view.report_page import create_app_page, create_report_page

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
NODE = ROOT / ".browser" / "node_modules"
SETTINGS = '[forges.play]\nkind = "sandbox"\n'
WAIT = 60_000
"""Milliseconds: no test needs a fast machine."""
DARK, NARROW = {"color_scheme": "dark"}, {"viewport": {"width": 400, "height": 900}}
STATES = {
    "nothing": (None, {}),
    "ready": (build_stack, {}),
    "blocked": ("smith/anvil#2", {}),
    "dark": ("smith/anvil#2", DARK),
    "failures": (build_failures, {}),
    "hostile": (build_hostile, {}),
    "narrow": (build_stack, NARROW),
}


async def write_page(folder, state):
    """Return the page of a state, with the answers of the real tools about the sandbox."""
    if state is None:
        return create_app_page()
    app = make_app(folder, SETTINGS)
    pr = state
    if callable(state):
        world, pr = state()
        app.forges.forge("play").world = world
    async with app.running():
        return create_report_page(
            await read_answers(app.scope(Contribution("stithy-view", "1", "view")), str(pr), seconds=WAIT / 1_000)
        )


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, Path]:
    """The file of each state. They are written before Playwright's event loop takes the thread."""
    folder = tmp_path_factory.mktemp("pages")
    for name, (state, _) in STATES.items():
        (folder / f"{name}.html").write_text(anyio.run(write_page, folder, state), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in STATES}


@pytest.fixture(scope="module")
def browser(pages) -> Iterator[object]:
    from playwright.sync_api import sync_playwright

    # The host's page is not on loopback, as far as Chromium knows, and would have to ask before it reads from there.
    args = ["--no-sandbox", "--disable-features=LocalNetworkAccessChecks"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=args)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser) -> Iterator[object]:
    """A tab. It fails the test for an error of a script, for a message of a policy, and for a dialog."""
    with browser.new_context() as context:
        yield open_tab(context)


def open_tab(context):
    tab, tab.faults = context.new_page(), []
    tab.set_default_timeout(WAIT)
    tab.on("pageerror", lambda error: tab.faults.append(str(error)))
    tab.on("console", lambda message: tab.faults.append(message.text))
    tab.on("dialog", lambda dialog: tab.faults.append(f"dialog {dialog.message}"))
    tab.on("request", lambda request: tab.faults.append(request.url) if request.url[:4] == "http" else None)
    return tab


def take_picture(part, folder, name):
    part.screenshot(path=Path(os.environ.get("STITHY_PICTURES") or folder) / f"view-{name}.png")


def find_violations(tab):
    tab.evaluate((NODE / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    found = tab.evaluate("axe.run()")
    return [(row["id"], [node["target"] for node in row["nodes"]]) for row in found["violations"]]


@pytest.mark.parametrize("name", STATES)
def test_a_state_is_shown_without_requests_and_violations(browser, pages, tmp_path, name):
    with browser.new_context(**STATES[name][1]) as context:
        tab = open_tab(context)
        tab.goto(pages[name].as_uri())
        assert tab.locator("h1").inner_text()
        assert tab.faults == []
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert find_violations(tab) == []
        take_picture(tab, tmp_path, name)


@pytest.fixture
def show(page, pages):
    def load(name):
        page.goto(pages[name].as_uri())
        return page

    return load


def test_no_text_of_a_title_a_branch_a_comment_or_a_test_is_executed(show):
    """All of them are visible as they were written, but for the characters that change the direction of others."""
    tab = show("hostile")
    assert tab.evaluate("window.hacked") is None
    assert tab.evaluate("document.querySelectorAll('img, iframe, object, [onload], [onerror]').length") == 0
    assert tab.evaluate("document.querySelectorAll('script').length") == 2
    assert tab.evaluate("[...document.links].filter(link => !/^https?:/.test(link.protocol) && !link.hash).length") == 0
    text = tab.locator("body").text_content()
    assert [written for written in HOSTILE if written.replace("\u202e", "") not in text] == []
    assert tab.locator("h1").inner_text() == HOSTILE[0]


def test_two_hundred_failures_are_grouped_by_file(show):
    tab = show("failures")
    assert tab.locator("section[aria-labelledby=get_failing_tests] > div > details").count() == 12
    assert tab.locator("section[aria-labelledby=get_failing_tests] details li").count() == 200


def test_the_stack_is_a_picture_with_a_name_and_a_list(show, tmp_path):
    tab = show("ready")
    take_picture(tab.locator("section[aria-labelledby=pr_list]"), tmp_path, "stack")
    assert tab.get_by_role("img").get_attribute("aria-label") == "A stack of 4 pull requests on main"
    assert tab.locator(".stack .here text").first.text_content().startswith("#2 Temper")


def test_the_keyboard_reaches_a_section_from_the_summary(show):
    tab = show("blocked")
    tab.keyboard.press("Tab")  # the link to the pull request
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.textContent") == "Readiness"


def test_the_status_page_has_no_violations(page, tmp_path):
    with serving_http(tmp_path, SETTINGS) as server:
        page.goto(f"{server}/ui/status")
        page.get_by_label("owner/repo#123").fill("smith/anvil#2")
        page.get_by_label("owner/repo#123").press("Enter")
        page.get_by_text("Blocked by 3 issues").wait_for()
        page.goto(f"{server}/ui/status")
        page.get_by_text("check_merge_readiness").wait_for()
        assert find_violations(page) == []
        take_picture(page, tmp_path, "status")
    assert [fault for fault in page.faults if not fault.startswith(server)] == []


def test_the_decisions_are_a_picture_without_violations(page, tmp_path):
    shutil.copytree(ROOT / "docs" / "adr", tmp_path / "docs" / "adr")
    (tmp_path / ".git").mkdir()
    with serving_http(tmp_path, SETTINGS) as server:
        page.goto(f"{server}/ui/decisions")
        assert page.get_by_role("img").locator("path").count() > 0
        assert find_violations(page) == []
        take_picture(page, tmp_path, "decisions")


@pytest.fixture(scope="module")
def host_script(tmp_path_factory) -> str:
    """The host's script, with the reference library of hosts and the client of the TypeScript SDK in it."""
    built = tmp_path_factory.mktemp("host") / "host.js"
    command = [NODE / ".bin" / "esbuild", Path(__file__).with_name("host_page.js"), "--bundle", f"--outfile={built}"]
    environ = {**os.environ, "NODE_PATH": str(NODE)}
    subprocess.run(command, check=True, capture_output=True, env=environ)
    return built.read_text(encoding="utf-8")


def test_in_a_host_of_apps_the_page_shows_the_answer_and_calls_the_other_tools(page, tmp_path, host_script):
    """The host is the reference library; it reads the page and calls tools over HTTP, as a web host does."""
    page.route("http://host.example/", lambda route: route.fulfill(body="<!doctype html><title>Host</title>"))
    settings = f'{SETTINGS}[serve.http]\norigins = ["http://host.example"]\n'
    with serving_http(tmp_path, settings) as server:
        page.goto("http://host.example/")
        page.evaluate(host_script)
        show = "([server, theme]) => showTool(server, 'check_merge_readiness', {pr: 'smith/anvil#2'}, theme)"
        assert page.evaluate(show, [f"{server}/mcp", "dark"]) == "ui://stithy/pull-request"
        view = page.frame_locator("iframe")
        view.get_by_text("Blocked by 3 issues").wait_for()
        view.locator("#find_unresolved_comments + div").get_by_text("Is 60 Rockwell").wait_for()
        view.locator("#get_review_suggestions + div").get_by_text("anvil/horn.py").wait_for()
        assert view.locator("html").evaluate("root => root.style.colorScheme") == "dark"
        assert len(page.evaluate("calls")) == 5
        take_picture(page, tmp_path, "host")
        view.get_by_role("button", name="Read again").click()
        page.wait_for_function("calls.length === 11")
        view.get_by_role("link", name="smith/anvil#2").click()
        page.wait_for_function("links.length === 1")
        assert page.evaluate("links") == ["http://sandbox.invalid/smith/anvil/pulls/2"]


def test_the_types_of_the_page_are_right():
    command = [NODE / ".bin" / "tsc", "--project", ROOT / "plugins" / "view" / "page"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
