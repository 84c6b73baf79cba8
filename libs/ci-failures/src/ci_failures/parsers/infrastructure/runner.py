"""Runners' reports about themselves: an exceeded time limit, a cancelled job, a lost machine."""

from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import Failure
from ci_failures.parsers.single_line_parser import AFTER, Sign, SignParser, literals

SIGNS = (
    Sign(
        wakes="exceeded the maximum execution time of",
        kind="timeout",
        rule="job timed out after",
        form=AFTER
        + r"The job (?:running on runner .{1,300} |was cancelled because it )?has exceeded the maximum execution"
        r" time of (?P<what>\d+\w* ?\w+)",
    ),
    Sign(
        wakes="ran longer than the maximum time of",
        kind="timeout",
        rule="job timed out after",
        form=AFTER + r"The job running on agent .{1,300} ran longer than the maximum time of (?P<what>\d+ \w+)\.",
    ),
    Sign(
        wakes="execution took longer than",
        kind="timeout",
        rule="job timed out after",
        form=r"^ERROR: Job failed: execution took longer than (?P<what>\S+) seconds$",
    ),
    Sign(
        wakes="Too long with no output (exceeded",
        kind="timeout",
        rule="step was silent for",
        form=r"^Too long with no output \(exceeded (?P<what>[^)]{1,30})\)",
    ),
    Sign(
        wakes="No output has been received in the last",
        kind="timeout",
        rule="step was silent for",
        form=r"^No output has been received in the last (?P<what>[^,]{1,30}), this potentially indicates a"
        r" stalled build",
    ),
    Sign(
        wakes="exceeded the maximum time limit for jobs",
        kind="timeout",
        rule="job timed out",
        form=r"^The job exceeded the maximum time limit for jobs, and has been terminated\.$",
    ),
    Sign(
        wakes=" minutes) reached. Terminating ",
        kind="timeout",
        rule="command timed out:",
        form=r"^Timeout \(\d+ minutes\) reached\. Terminating \"(?P<what>.{1,300})\"$",
    ),
    Sign(
        wakes="has timed out after",
        kind="timeout",
        rule="step timed out:",
        form=AFTER + r"The action '(?P<what>.{1,300})' has timed out after \d+ minutes?\.?$",
    ),
    Sign(
        wakes="The operation was canceled.",
        kind="cancelled",
        rule="the operation was cancelled",
        form=r"^(?:##\[error\]|::error::|Error: )The operation was canceled\.$",
    ),
    Sign(wakes="Done: Job Cancelled", kind="cancelled", rule="the job was cancelled", form=r"^Done: Job Cancelled$"),
    Sign(wakes="Finished: ABORTED", kind="cancelled", rule="the build was aborted", form=r"^Finished: ABORTED$"),
    Sign(
        wakes="Canceling since a ",
        kind="cancelled",
        rule="another run came before this one:",
        form=AFTER + r"Canceling since a (?:higher priority waiting request|deadlock) for '(?P<what>.{1,300})' exists",
    ),
    Sign(
        wakes="The runner has received a shutdown signal",
        kind="runner_lost",
        rule="the runner was shut down",
        form=AFTER + r"The runner has received a shutdown signal\.",
    ),
    Sign(
        wakes="lost communication with the server",
        kind="runner_lost",
        rule="the runner was lost:",
        form=AFTER + r"The (?:self-)?hosted runner(?::? (?P<what>.{1,200}?))? lost communication with the server",
    ),
    Sign(
        wakes="The hosted runner encountered an error while running your job",
        kind="runner_lost",
        rule="the runner was lost",
        form=AFTER + r"The hosted runner encountered an error while running your job",
    ),
    Sign(
        wakes="We stopped hearing from agent",
        kind="runner_lost",
        rule="the runner was lost:",
        form=AFTER + r"We stopped hearing from agent (?P<what>.{1,200}?)\. Verify the agent machine is running",
    ),
    Sign(
        wakes="Job failed (system failure)",
        kind="runner_lost",
        rule="the runner failed",
        form=r"^ERROR: Job failed \(system failure\): ",
    ),
    Sign(
        wakes="No space left on device",
        kind="runner_lost",
        rule="no space left on the runner's disk",
        confidence="medium",
        form=r"^(?:##\[error\]|System\.IO\.IOException: |[\w./-]{1,200}: (?:.{1,300}: )?|.{0,300}\[Errno 28\] )No"
        r" space left"
        r" on device(?: \(os error 28\)| : '.*)?$",
    ),
)


class Runner(SignParser):
    """Parser of runners: of GitHub, Gitea and Forgejo, and of GitLab, Azure, Circle and Travis."""

    tool: ClassVar[str] = "runner"
    wakes: ClassVar[tuple[str, ...]] = literals(SIGNS)
    signs = SIGNS

    def finish(self) -> Iterable[Failure]:
        """Return what happened; a cancellation because of it is not a second failure."""
        found = list(super().finish())
        causes = [one for one in found if one.kind != "cancelled" or not one.name.startswith("the operation")]
        return causes or found
