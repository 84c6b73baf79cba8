"""The languages for which ast-grep has a grammar: by name, alias and file suffix."""

import re
from collections.abc import Mapping

from stithy_archdocs.rules.added_grammars import ADDED, EXTRA, list_added_languages

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "bash": ("sh", "bash", "zsh", "ksh"),
    "c": ("c", "h"),
    "cpp": ("cc", "cpp", "cxx", "hpp", "hh", "hxx", "ino"),
    "csharp": ("cs",),
    "css": ("css",),
    "dart": ("dart",),
    "elixir": ("ex", "exs"),
    "go": ("go",),
    "haskell": ("hs",),
    "hcl": ("hcl", "tf", "tfvars"),
    "html": ("html", "htm", "xhtml"),
    "java": ("java",),
    "javascript": ("js", "jsx", "mjs", "cjs"),
    "json": ("json",),
    "kotlin": ("kt", "kts"),
    "lua": ("lua",),
    "nix": ("nix",),
    "php": ("php",),
    "python": ("py", "pyi", "py3", "bzl"),
    "ruby": ("rb", "rbw", "gemspec"),
    "rust": ("rs",),
    "scala": ("scala", "sc", "sbt"),
    "solidity": ("sol",),
    "swift": ("swift",),
    "tsx": ("tsx",),
    "typescript": ("ts", "cts", "mts"),
    "yaml": ("yml", "yaml"),
    "zig": ("zig",),
    **list_added_languages(),
}
"""File suffixes by language. Any other language name makes ast-grep panic, so names are checked here first."""

_ALIASES = {
    "c++": "cpp",
    "c#": "csharp",
    "golang": "go",
    "ecmascript": "javascript",
    "node": "javascript",
    "nodejs": "javascript",
    "shell": "bash",
    "terraform": "hcl",
    "python3": "python",
}
OTHERS = frozenset((
    "ada", "asciidoc", "assembly", "clojure", "cmake", "cobol", "crystal", "cue", "dockerfile", "dotenv", "elm",
    "erlang", "f#", "fortran", "fsharp", "gherkin", "graphql", "groovy", "ini", "jinja", "jsonnet", "julia", "latex",
    "less", "make", "makefile", "markdown", "matlab", "meson", "nim", "objc", "objective-c", "ocaml", "perl",
    "plsql", "powershell", "prisma", "prolog", "properties", "proto", "protobuf", "puppet", "r", "racket", "rego",
    "scss", "sql", "starlark", "svelte", "tcl", "text", "thrift", "toml", "vb", "verilog", "vhdl", "vue", "wasm",
    "xml",
))  # fmt: skip
"""Known languages without a grammar: a rule for one of them never applies to other code."""
_DOCKERFILE = re.compile(r"(?:docker|container)file(?:\.(?!dockerignore$).+)?")
_BY_ENDING = {ending: language for language, endings in ENDINGS.items() for ending in endings}


def find_language(name: str) -> str | None:
    """Return the language with a name, alias or suffix: `TypeScript`, `c#`, `.kt`; None if unknown."""
    asked = name.strip().lower().removeprefix(".")
    if asked in ENDINGS:
        return asked
    return _ALIASES.get(asked) or _BY_ENDING.get(asked)


def find_language_of_path(path: str) -> str | None:
    """Return the language of a file by its suffix; None if unknown."""
    name = path.rpartition("/")[2].lower()
    found = _BY_ENDING.get(name.rpartition(".")[2]) if "." in name else None
    return found or ("dockerfile" if "dockerfile" in ENDINGS and _DOCKERFILE.fullmatch(name) else None)


def list_globs(language: str) -> tuple[str, ...]:
    """Return the globs of the names of a language's files."""
    named = ("Dockerfile*",) if language == "dockerfile" else ()
    return (*(f"*.{ending}" for ending in ENDINGS[language]), *named)


def describe_unsupported(name: str) -> str:
    """Return why no code is parsed in a language, and what to install if an extra has its grammar."""
    remedy = f"; its grammar is an extra: {EXTRA}" if name.strip().lower() in ADDED else ""
    return f"unsupported language {name[:50]!r}{remedy}"
