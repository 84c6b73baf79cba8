"""Hostile logs, made to take time or memory: blocks to be repeated."""

from ci_failures.parsers import load_built_in

BLOCK = 1 << 20
LONG = 300_000


def build_hostile_blocks() -> dict[str, bytes]:
    """Return blocks of about a megabyte by name."""
    literals = [literal.strip("\n") for parser in load_built_in() for literal in parser.wakes]
    numbered = "".join(f"{literal}{number} x y\n" for number, literal in enumerate(literals * 20))
    kinds = {
        "lines of 300,000 letters": "x" * LONG + "\n",
        "one line without an end": "x" * BLOCK,
        "NUL": "\x00" * 400 + "\n",
        "progress bars": "".join(f"\r {done}% [{'=' * done}>" for done in range(100)) + "\n",
        "nothing but colours": "\x1b[31m\x1b[0m" * 40 + "\n",
        "FAILED, and no failure": "it FAILED \n",
        "every literal of all parsers": numbered,
        "literals in long lines": "".join(f"{literal * (4_000 // len(literal))}\n" for literal in literals),
    }
    return {name: (text * (BLOCK // len(text) + 1)).encode() for name, text in kinds.items()}
