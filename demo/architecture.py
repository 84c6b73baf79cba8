"""A section of the demo: the decisions and patterns of this project, applied to its own code."""

import tempfile
from pathlib import Path

from demo.host import Host, run_server

ROOT = Path(__file__).resolve().parents[1]
BAD = "import httpx\n\n\ndef read(url: str) -> str:\n    return httpx.get(url).text\n"
QUERY = "what happens to a write whose answer is lost?"
PATTERN, PLACE = "transports-at-the-edge", "plugins/ci/src/stithy_ci/reading.py"
PROPOSAL = "Judge proposals by a natural-language-inference model from a package index."


async def show_architecture(host: Host) -> None:
    """Search this project's decisions, check code against one of its patterns, and a proposal against its records.

    The section has a server of its own, started in this folder, as a host starts it in a project.
    """
    host.title("Architecture: search of decisions, patterns checked on code, proposals that conflict with decisions")
    with tempfile.TemporaryDirectory(prefix="stithy-demo-") as name:
        (Path(name) / "stithy.toml").write_text("", encoding="utf-8")
        environ = {"STITHY_CONFIG": str(Path(name) / "stithy.toml"), "XDG_CACHE_HOME": name}
        async with run_server(environ, ROOT) as project:
            search = await project.call("search-architecture", query=QUERY, max_results=2)
            validation = await project.call("validate-against-pattern", pattern_name=PATTERN, code=BAD, path=PLACE)
            alignment = await project.call("check-adr-alignment", decision_description=PROPOSAL)
            check = await project.call("check_architecture_docs")
    first = search.data.get("results", [{}])[0]
    host.expect(first.get("uri", "").endswith("0004-lost-writes.md"), "the record of lost writes comes first")
    host.expect(validation.data.get("verdict") == "violations", "code that imports httpx elsewhere breaks the pattern")
    host.expect(validation.data["violations"][0].get("line") == 1, "the violation has its line")
    conflicts = [row["adr_uri"] for row in alignment.data.get("conflicts", [])]
    host.expect(any("0047" in uri for uri in conflicts), "the conflicting record is named")
    host.expect(check.data.get("errors") == 0, "the documents have no errors")
