"""The plugin's own table, `[archdocs]`, in stithy.toml."""

from pathlib import Path
from typing import Annotated

from attrs import Factory, frozen

from stithy_core.spi import Meta

MEGABYTE = 1024 * 1024


@frozen
class ArchdocsSettings:
    """Where a team keeps its documents.

    A place is a folder, of which all Markdown and RST files are taken, or a glob: `docs/**/adr-*.md`. The first place
    that has a file decides of which kind it is.

    Args:
        root: The project: places are relative to it, and nothing outside of it is read. By default the
            folder of the project's stithy.toml, else the working directory.
        adr: Places of decision records; a file `.adr-dir`, as adr-tools writes it, names one more.
        guidelines: Places of guidelines.
        patterns: Places of patterns.
        prompts: The folder of prompts.
        baseline: The file of hits that were there before a rule was.
        competitors: What excludes one another, beside what is known: slot to names, `broker = ["Kafka", "NATS"]`.
        most_documents: How many files are read; the rest is left out, and said.
        most_file_mb: Megabytes of a file; a larger one is left out, and said.
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
    most_documents: Annotated[int, Meta(ge=1, le=100_000)] = 50_000
    most_file_mb: Annotated[int, Meta(ge=1, le=100)] = 10
