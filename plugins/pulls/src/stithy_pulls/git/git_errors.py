"""What can go wrong with git, told apart by what to do about it."""

import re

from stithy_core.spi import LogicalError, redact

SHOWN = 300
DAMAGED = re.compile(
    r"(bad object|corrupt|is empty|not a git repository|object file|unable to read (?:tree|sha1)|could not parse|"
    r"missing (?:blob|tree|commit|object)|far too short|too small|bad (?:tree|blob|commit|config|pack)|"
    r"wrong (?:index|pack)|did not send all necessary|inflate|unable to find|invalid sha1 pointer|unknown index|"
    r"garbage at end)",
    re.IGNORECASE,
)
LOGIN = re.compile(
    r"(Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|"
    r"requested URL returned error: 40[13])"
)
ABSENT = re.compile(r"(repository .* not found|requested URL returned error: 404|does not appear to be a git repo)")


class GitError(LogicalError):
    """git cannot answer here; what the forge's API says is all there is."""


class StaleHead(GitError):
    """The forge's git does not have the head yet that its API names; what the API tells of a merge is as old."""


class DamagedCache(GitError):
    """A cache cannot be read; it can be made anew."""


def create_git_error(what: str, code: int, said: str) -> GitError:
    """Give the error that git's words mean.

    Args:
        what: What git was to do.
        code: Its exit status.
        said: What it complained of.
    """
    words = excerpt_stderr(said) or f"it ended with status {code}"
    if LOGIN.search(said):
        remedy = "Give the forge a token that may read this repository's code."
        return GitError(f"git could not {what}: the forge let it not in ({words})", suggestion=remedy)
    if ABSENT.search(said):
        remedy = "Check that the token may read the repository's code."
        return GitError(f"git could not {what}: it found no repository there ({words})", suggestion=remedy)
    if DAMAGED.search(said):
        return DamagedCache(f"git could not {what}: {words}", suggestion="Delete the cache of stithy-pulls.")
    return GitError(f"git could not {what}: {words}", suggestion="Try again, or run the command in a clone.")


def excerpt_stderr(said: str) -> str:
    """Give the lines that complain, short and without secrets."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", said)]
    loud = [line for line in lines if line.startswith(("fatal:", "error:", "remote: ", "warning:"))] or lines[-2:]
    return redact("; ".join(filter(None, loud)))[:SHOWN]
