"""A section of the demo: the decisions and patterns of this project, which it is held to itself."""

import tempfile
from pathlib import Path

from demo.host import Host, served

ROOT = Path(__file__).resolve().parents[1]
BAD = "import httpx\n\n\ndef read(url: str) -> str:\n    return httpx.get(url).text\n"
QUESTION = "what happens to a write whose answer is lost?"
PATTERN, PLACE = "transports-at-the-edge", "plugins/ci/src/stithy_ci/reading.py"
PROPOSAL = "Play recordings back by patching the HTTP client instead of a server."


async def architecture(host: Host) -> None:
    """Search this project's decisions, hold code against one of its patterns, and a proposal against its records.

    A server of its own is started in this folder, as a host starts it in a project.
    """
    host.title("What was agreed: decisions that are found, patterns that are checked, proposals that go against them")
    with tempfile.TemporaryDirectory(prefix="stithy-demo-") as name:
        (Path(name) / "stithy.toml").write_text("", encoding="utf-8")
        environ = {"STITHY_CONFIG": str(Path(name) / "stithy.toml"), "XDG_CACHE_HOME": name}
        async with served(environ, ROOT) as home:
            found = await home.call("search-architecture", query=QUESTION, max_results=2)
            judged = await home.call("validate-against-pattern", pattern_name=PATTERN, code=BAD, path=PLACE)
            aligned = await home.call("check-adr-alignment", decision_description=PROPOSAL)
            checked = await home.call("check_architecture_docs")
    first = found.data.get("results", [{}])[0]
    host.expect(first.get("uri", "").endswith("0004-lost-writes.md"), "the record of lost writes comes first")
    host.expect(judged.data.get("verdict") == "violations", "code that imports httpx elsewhere breaks the pattern")
    host.expect(judged.data["violations"][0].get("line") == 1, "the violation has its line")
    conflicts = [row["adr_uri"] for row in aligned.data.get("conflicts", [])]
    host.expect(any("0002" in uri for uri in conflicts), "the record that says otherwise is named")
    host.expect(checked.data.get("errors") == 0, "nothing is wrong with the documents")
