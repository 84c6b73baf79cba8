"""The languages that ast-grep brings a grammar for: by name, by other names, and by the ending of a file."""

from collections.abc import Mapping

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
}
"""ast-grep panics on any other language, which ends the thread."""

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
"""Languages that are known by name and have no grammar here: a rule for one of them is for no other code."""
_BY_ENDING = {ending: language for language, endings in ENDINGS.items() for ending in endings}


def language_of(name: str) -> str | None:
    """Find a language by its name, another name of it, or its ending: `TypeScript`, `c#`, `.kt`."""
    asked = name.strip().lower().removeprefix(".")
    if asked in ENDINGS:
        return asked
    return _ALIASES.get(asked) or _BY_ENDING.get(asked)


def language_of_path(path: str) -> str | None:
    """Find the language of a file by its name."""
    name = path.rpartition("/")[2].lower()
    return _BY_ENDING.get(name.rpartition(".")[2]) if "." in name else None
