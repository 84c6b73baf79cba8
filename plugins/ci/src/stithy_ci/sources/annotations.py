"""The annotations of a check.

They have no tool's name, and most only report that a command failed. Their texts are parsed like a log: what a parser
recognizes has a kind and a name; for the others, only the place is reported.
"""

import re

from attrs import frozen

from ci_failures import ParserSet
from ci_failures.logs.log_reader import LogReader
from ci_failures.model import Failure
from stithy_ci.ci_state.commit_state import CommitState
from stithy_core.spi import Annotation, CommitCheck, Forge, ForgeError, Unsupported

MOST = 50
EXIT = re.compile(r"^Process completed with exit code \d+\.?$|^The process '.*' failed with exit code \d+$")


@frozen(kw_only=True)
class CheckAnnotations:
    """The annotations of one check.

    Args:
        failures: Failures that a parser recognized.
        places: Other annotations on a place, unchanged.
        whole: Annotations on the check as a whole.
        hint: The text of these.
        gap: Why they were not read; empty if they were, or if the check has no annotations.
    """

    failures: tuple[Failure, ...] = ()
    places: tuple[Annotation, ...] = ()
    whole: tuple[Annotation, ...] = ()
    hint: str = ""
    gap: str = ""


async def read_annotations(
    forge: Forge, truth: CommitState, check: CommitCheck, parsers: ParserSet
) -> CheckAnnotations:
    """Read the annotations of a check, unless they came with it; a forge without annotations has none."""
    if check.annotations == 0:
        return CheckAnnotations()
    try:
        known = truth.annotations.get(check.id)
        found = await forge.checks.annotations(truth.repository, check) if known is None else known
    except Unsupported:
        return CheckAnnotations()
    except ForgeError as error:
        return CheckAnnotations(gap=f"the annotations could not be read: {error.message}")
    failed = [annotation for annotation in found if annotation.level == "failure"]
    return _classify(failed, parsers, found.cut)


def _classify(failed: list[Annotation], parsers: ParserSet, cut: str) -> CheckAnnotations:
    recognized: list[Failure] = []
    places: list[Annotation] = []
    general: list[str] = []
    for annotation in failed:
        if failures := _parse_annotation(annotation, parsers):
            recognized += failures
        elif _is_on_a_place(annotation):
            places.append(annotation)
        else:
            general.append(annotation.message)
    general.sort(key=lambda text: bool(EXIT.match(text)))  # the failure itself is known
    gap = cut or (f"only {MOST} of {len(places)} annotations are entries" if len(places) > MOST else "")
    whole = tuple(annotation for annotation in failed if not _is_on_a_place(annotation))
    hint = "\n".join(general[:3])
    return CheckAnnotations(failures=tuple(recognized), places=tuple(places[:MOST]), whole=whole, hint=hint, gap=gap)


def _is_on_a_place(annotation: Annotation) -> bool:
    return not annotation.path.startswith(".github") and not EXIT.match(annotation.message)


def _parse_annotation(annotation: Annotation, parsers: ParserSet) -> list[Failure]:
    """Parse an annotation as the line of the log that it was made from."""
    reader = LogReader(parsers.literals)
    reader.feed(f"##[error]{annotation.message}\n".encode(errors="replace"))
    return [failure for result in reader.finish() for failure in result.failures if not failure.flaky]
