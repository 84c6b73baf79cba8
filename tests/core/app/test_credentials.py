"""What the credentials of a kind of forge build upon: programs that are asked, and whose place an address is."""

import pytest
from programs import stand_in

from stithy_core.spi import Credentials, ForgeConfig

pytestmark = pytest.mark.anyio


@pytest.fixture
def asking(tmp_path):
    """Return a function that creates credentials with a program on the PATH."""

    def create_credentials(script, url="https://git.example", **environ):
        forge_config = ForgeConfig(alias="work", kind="pond", url=url)
        return Credentials(forge_config, {"PATH": stand_in(tmp_path / "bin", "program", script)} | environ, None)

    return create_credentials


async def test_a_program_reads_what_it_is_given_and_no_more(asking):
    assert await asking("cat").ask("program", given="host=x\n") == "host=x\n"
    assert await asking("cat").ask("program") == ""


async def test_a_program_has_the_environment_that_it_is_given(asking):
    credentials = asking('echo "$A$B"', A="a", B="b")
    assert await credentials.ask("program") == "ab\n"
    without = {name: value for name, value in credentials.environ.items() if name != "B"}
    assert await credentials.ask("program", environ=without) == "a\n"


async def test_a_program_has_no_terminal_and_stands_outside_of_any_repository(asking):
    assert await asking("pwd; (: < /dev/tty) 2>&1 | grep -c 'No such device'").ask("program") == "/\n1\n"


@pytest.mark.parametrize("script", ["echo s3cret; exit 1", "echo s3cret >&2; exit 1"])
async def test_a_program_that_fails_gives_nothing_and_shows_nothing(asking, script, capfd):
    assert await asking(script).ask("program") == ""
    assert capfd.readouterr() == ("", "")


async def test_a_program_that_is_not_there_gives_nothing(asking):
    assert await asking("").ask("no-such-program") == ""


async def test_a_program_that_takes_too_long_gives_nothing(asking, monkeypatch):
    monkeypatch.setattr("stithy_core.spi.dialect.SECONDS", 0.2)
    assert await asking("exec sleep 60").ask("program") == ""


SAME = ["https://git.example", "https://git.example/", "https://GIT.example:443"]
OTHERS = [
    "http://git.example",
    "https://git.example:8443",
    "https://git.example/sub",
    "https://x.example",
    "",
    "https://[",
]


@pytest.mark.parametrize("url", [*SAME, *OTHERS])
async def test_a_place_is_the_same_by_scheme_host_port_and_path(asking, url):
    assert asking("").is_at(url) == (url in SAME)


@pytest.mark.parametrize(
    ("url", "private"),
    [
        ("https://git.example", True),
        ("http://git.example", False),
        ("http://127.0.0.1:3000", True),
        ("http://[::1]", True),
        ("http://localhost", True),
        ("http://localhost.example", False),
        ("http://10.0.0.1", False),
    ],
)
async def test_only_https_and_this_machine_are_private(asking, url, private):
    assert asking("", url=url).is_private() == private
