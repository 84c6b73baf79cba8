"""Map the states of checks to verdicts (docs/forge-behaviour/github.md#checks).

REST and GraphQL use the same words, in lower case and in capitals. A completed check has a conclusion; until then its
status says how far it is.
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
    """Return the verdict of a check run, a job, a step or a run, and GitHub's word for it."""
    word = (conclusion or status or "").lower()
    completed = bool(conclusion) or word == COMPLETED
    return _look_up(CONCLUSIONS if completed else STATUSES, word), word


def to_status_verdict(state: str) -> tuple[Maybe[Verdict], str]:
    """Return the verdict of a commit status, and GitHub's word for it."""
    word = state.lower()
    return _look_up(STATES, word), word


def _look_up(verdicts: dict[str, Verdict], word: str) -> Maybe[Verdict]:
    if word == COMPLETED:
        return Unknown("GitHub reports it as completed, without a conclusion", "Try again in a few seconds.")
    return verdicts.get(word) or Unknown(f"unknown state {word!r} on GitHub", "Read its page.")
