"""Errors of git, classified by what the user can do."""

import re

from stithy_core.spi import LogicalError, redact

SHOWN = 300
"""Characters of git's messages in an error."""
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
    """git cannot answer here; only the forge's API can."""


class StaleHead(GitError):
    """The forge's git does not have the head yet that its API names, so its verdict on a merge is outdated, too."""


class MissingHead(GitError):
    """The head of a pull request cannot be fetched, in a clone either."""


class HistoryNeeded(GitError):
    """The latest commits are not enough: the whole history is needed. The message says why."""


class DamagedCache(GitError):
    """A cached repository cannot be read; it can be created again."""


def create_git_error(what: str, code: int, stderr: str) -> GitError:
    """Create the error for git's messages.

    Args:
        what: The task of git, as a verb phrase.
        code: The exit status.
        stderr: Standard error.
    """
    words = excerpt_stderr(stderr) or f"exit status {code}"
    if LOGIN.search(stderr):
        remedy = "Configure a token that can read this repository's code."
        return GitError(f"git could not {what}: the forge denied access ({words})", suggestion=remedy)
    if ABSENT.search(stderr):
        remedy = "Check that the token can read the repository's code."
        return GitError(f"git could not {what}: repository not found ({words})", suggestion=remedy)
    if DAMAGED.search(stderr):
        return DamagedCache(f"git could not {what}: {words}", suggestion="Delete the cache of stithy-pulls.")
    return GitError(f"git could not {what}: {words}", suggestion="Try again, or run the command in a clone.")


def excerpt_stderr(stderr: str) -> str:
    """Return the error lines of git, shortened and without secrets."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", stderr)]
    loud = [line for line in lines if line.startswith(("fatal:", "error:", "remote: ", "warning:"))] or lines[-2:]
    return redact("; ".join(filter(None, loud)))[:SHOWN]
