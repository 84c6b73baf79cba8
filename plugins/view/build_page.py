"""Builds the page of the view from its sources: one file, whose policy allows its own script and style alone.

`python plugins/view/build_page.py` writes it; a test compares it with the sources.
"""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = HERE / "page"
PACKAGE = HERE / "src" / "stithy_view"
BUILT = PACKAGE / "pull_request.html"
SCRIPTS = ("elements.js", "stack.js", "sections.js", "host.js", "main.js")


def build_page() -> str:
    """Return the page; `{{DATA}}` is left for the answers."""
    style = (SOURCES / "page.css").read_text(encoding="utf-8")
    scripts = [(SOURCES / name).read_text(encoding="utf-8") for name in SCRIPTS]
    calls = (PACKAGE / "tool_calls.json").read_text(encoding="utf-8").strip()
    script = f'(() => {{\n"use strict";\n{"".join(scripts)}\nshowView({calls});\n}})();\n'
    values = {
        "{{SCRIPT_HASH}}": format_hash(script),
        "{{STYLE_HASH}}": format_hash(style),
        "{{STYLE}}": style,
        "{{SCRIPT}}": script,
    }
    page = (SOURCES / "page.html").read_text(encoding="utf-8")
    for name, value in values.items():
        page = page.replace(name, value)
    return page


def format_hash(text: str) -> str:
    """Return the source expression of an inline script or style in a Content Security Policy."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


if __name__ == "__main__":
    BUILT.write_text(build_page(), encoding="utf-8")
