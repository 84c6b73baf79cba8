"""Grammars that ast-grep does not have: those of the extra `grammars`, from packages of tree-sitter."""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from threading import Lock

EXTRA = 'pip install "stithy[grammars]"'
ADDED: Mapping[str, tuple[str, ...]] = {
    "dockerfile": ("dockerfile", "containerfile"),
    "sql": ("sql",),
    "toml": ("toml",),
}
"""File suffixes by language."""
SIGN = "_"
"""What stands for `$` while a pattern is parsed, since these grammars have no names with `$`."""
_lock = Lock()


def list_added_languages() -> Mapping[str, tuple[str, ...]]:
    """Return the languages whose grammar is installed, with their file suffixes."""
    return {name: endings for name, endings in ADDED.items() if find_spec(f"tree_sitter_{name}")}


def register_grammars() -> None:
    """Make the installed grammars known to ast-grep, once in a process.

    Raises:
        RuntimeError: A library lacks its symbol, as in releases that the extra `grammars` excludes.
    """
    with _lock:  # a second call would replace what the first one registered
        _register_once()


@cache
def _register_once() -> None:
    from ast_grep_py import CustomLang, register_dynamic_language

    found = {name: find_spec(f"tree_sitter_{name}._binding") for name in list_added_languages()}
    libraries = {
        name: CustomLang(
            library_path=spec.origin,
            language_symbol=f"tree_sitter_{name}",
            extensions=list(ADDED[name]),  # type: ignore[typeddict-unknown-key] # required; its type lacks it
            expando_char=SIGN,
        )
        for name, spec in found.items()
        if spec and spec.origin
    }
    try:
        register_dynamic_language(libraries)
    except RuntimeError as error:
        raise RuntimeError(f"{EXTRA} brings grammars that can be loaded\n{error}") from error
