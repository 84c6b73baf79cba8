"""The settings table `[archdocs]` in stithy.toml."""

from pathlib import Path
from typing import Annotated

from attrs import Factory, frozen

from stithy_core.spi import Meta

MEGABYTE = 1024 * 1024


@frozen
class ArchdocsSettings:
    """Locations of a team's documents, and limits for reading them.

    A location is a folder, of which all Markdown, RST and AsciiDoc files are read, or a glob: `docs/**/adr-*.md`. A
    file that several locations match belongs to the first.

    Args:
        root: Project root: locations are relative to it, and nothing outside of it is read. Default: the folder of the
            project's stithy.toml, else the working directory.
        adr: Locations of decision records; a file `.adr-dir`, as adr-tools writes it, adds one.
        guidelines: Locations of guidelines.
        patterns: Locations of patterns.
        prompts: Folder of prompts.
        baseline: File of accepted violations.
        competitors: Technologies that exclude one another, beside the built-in ones, by slot: `broker = ["Kafka",
            "NATS"]`.
        vectors: Find documents by the meaning of words, too; needs the extra `vectors`: `pip install
            "stithy[vectors]"`.
        most_documents: Maximum number of files to read; the rest is skipped and reported.
        most_file_mb: Maximum size of a file in megabytes; a larger one is skipped and reported.
    """

    root: Path = Path()
    adr: tuple[str, ...] = (
        "docs/adr",
        "doc/adr",
        "docs/architecture/decisions",
        "docs/decisions",
        "mcp/resources/adr",
    )
    guidelines: tuple[str, ...] = ("mcp/resources/guidelines",)
    patterns: tuple[str, ...] = ("mcp/resources/patterns",)
    prompts: str = "mcp/prompts"
    baseline: str = "mcp/baseline.json"
    competitors: dict[str, tuple[str, ...]] = Factory(dict)
    vectors: bool = False
    most_documents: Annotated[int, Meta(ge=1, le=100_000)] = 50_000
    most_file_mb: Annotated[int, Meta(ge=1, le=100)] = 10
