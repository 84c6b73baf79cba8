"""Code owners of Gitea and Forgejo: regular expressions, all of which count (docs/forge-behaviour/gitea.md#code)."""

import regex

from stithy_pulls.diffs.fitting import PathPattern
from stithy_pulls.owners.records import CodeOwners, OwnerRule

MOST = 500
"""Each may take a while, if a stranger wants it."""


def parse_expression_rules(path: str, text: str) -> CodeOwners:
    """Read the lines, each for itself; `!` is for every file that does not fit.

    Args:
        path: Where the file is.
        text: What it says.
    """
    rules: list[OwnerRule] = []
    errors: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        words = _words(line)
        if not words:
            continue
        if len(rules) == MOST:
            errors.append(f"line {number} and those behind it: only {MOST} expressions are tried")
            break
        try:
            fit = _rule(words)
        except (ValueError, regex.error) as error:
            errors.append(f"line {number}: {error}")
        else:
            rules.append(OwnerRule(number, fit, tuple(word.removeprefix("@") for word in words[1:])))
    return CodeOwners(path, tuple(rules), tuple(errors), add_up=True)


def _rule(words: list[str]) -> PathPattern:
    if len(words) == 1:
        raise ValueError("no owner is named")
    return PathPattern(words[0].removeprefix("!"), negated=words[0].startswith("!"))


def _words(line: str) -> list[str]:
    """Split a line as the servers do: a backslash takes the meaning from what follows, and goes itself."""
    words: list[str] = []
    word, escaped = "", False
    for char in line.strip().replace("\t", " "):
        if escaped:
            word, escaped = word + char, False
        elif char == "\\":
            escaped = True
        elif char == "#":
            break
        elif char == " ":
            words, word = [*words, word], ""
        else:
            word += char
    return [one for one in (*words, word) if one]
