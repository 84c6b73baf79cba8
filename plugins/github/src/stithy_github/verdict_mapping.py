"""GitHub's words for what machines came to (docs/forge-behaviour/github.md#checks).

REST writes them in small letters and GraphQL in capitals; they are the same words. A conclusion is there once a check
is completed, until then its status says how far it is.
"""

from stithy_core.spi import Maybe, Unknown, Verdict

COMPLETED = "completed"
CONCLUSIONS = {
    "success": Verdict.PASSED,
    "failure": Verdict.FAILED,
    "neutral": Verdict.NEUTRAL,
    "cancelled": Verdict.CANCELLED,
    "skipped": Verdict.SKIPPED,
    "timed_out": Verdict.TIMED_OUT,
    "action_required": Verdict.ACTION_REQUIRED,
    "stale": Verdict.STALE,
    "startup_failure": Verdict.STARTUP_FAILURE,
}
STATUSES = {
    "queued": Verdict.PENDING,
    "waiting": Verdict.PENDING,
    "requested": Verdict.PENDING,
    "pending": Verdict.PENDING,
    "in_progress": Verdict.RUNNING,
}
STATES = {
    "success": Verdict.PASSED,
    "failure": Verdict.FAILED,
    "error": Verdict.FAILED,
    "pending": Verdict.PENDING,
    "expected": Verdict.PENDING,
}


def to_verdict(status: str | None, conclusion: str | None) -> tuple[Maybe[Verdict], str]:
    """Read the verdict of a check run, a job, a step or a run; with GitHub's own word for it."""
    word = (conclusion or status or "").lower()
    completed = bool(conclusion) or word == COMPLETED
    return _look_up(CONCLUSIONS if completed else STATUSES, word), word


def to_status_verdict(state: str) -> tuple[Maybe[Verdict], str]:
    """Read the verdict of a commit status; with GitHub's own word for it."""
    word = state.lower()
    return _look_up(STATES, word), word


def _look_up(words: dict[str, Verdict], word: str) -> Maybe[Verdict]:
    if word == COMPLETED:
        return Unknown("GitHub says that it is completed, and not what came of it", "Ask again in a few seconds.")
    return words.get(word) or Unknown(f"GitHub's word {word!r} is none that is known here", "Read its page.")
