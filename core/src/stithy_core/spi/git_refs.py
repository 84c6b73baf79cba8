"""The names that git allows for a full ref (https://git-scm.com/docs/git-check-ref-format)."""

import re

PREFIX = "refs/"
FAULTS = (
    (re.compile(r"[\x00-\x1f\x7f]"), "it contains a control character"),
    (re.compile(r" "), "it contains a space"),
    (re.compile(r"[~^:?*\[\\]"), "it contains one of ~ ^ : ? * [ \\"),
    (re.compile(r"\.\."), "it contains '..'"),
    (re.compile(r"@\{"), "it contains '@{'"),
    (re.compile(r"//|/\Z"), "it has an empty component"),
    (re.compile(r"/\."), "a component begins with '.'"),
    (re.compile(r"\.lock(/|\Z)"), "a component ends with '.lock'"),
    (re.compile(r"\.\Z"), "it ends with '.'"),
)


def find_ref_fault(ref: str) -> str:
    """Return why a text is not a full ref that git accepts; empty if it is one.

    A full ref begins with `refs/`, so git cannot mistake it for an option.

    Args:
        ref: The text, such as `refs/pull/7/head`. Bytes that are not UTF-8 are surrogates, as git's output is decoded.
    """
    if not ref.startswith(PREFIX):
        return "it does not begin with 'refs/'"
    try:
        ref.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return "it cannot be encoded"
    return next((fault for pattern, fault in FAULTS if pattern.search(ref)), "")
