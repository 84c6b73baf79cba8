"""What a check remarked on places in the code.

They come without a tool's name, and most say no more than that a command failed. Their texts are read as a log is:
what a parser knows has a kind and a name, and of the others the place is told.
"""

import re

from attrs import frozen

from ci_failures import ParserSet
from ci_failures.logs.log_reader import LogReader
from ci_failures.model import Failure
from stithy_core.spi import Annotation, CommitCheck, Forge, ForgeError, RepositoryRef, Unsupported

MOST = 50
EXIT = re.compile(r"^Process completed with exit code \d+\.?$|^The process '.*' failed with exit code \d+$")


@frozen(kw_only=True)
class Remarks:
    """What the annotations of one check say.

    Args:
        failures: What a parser knows.
        places: The others that name a place, as they are.
        whole: Those on the check as a whole.
        hint: What they say.
        gap: Why they were not read; empty where they were, or where there are none.
    """

    failures: tuple[Failure, ...] = ()
    places: tuple[Annotation, ...] = ()
    whole: tuple[Annotation, ...] = ()
    hint: str = ""
    gap: str = ""


async def read_remarks(forge: Forge, repository: RepositoryRef, check: CommitCheck, parsers: ParserSet) -> Remarks:
    """Read what a check remarked; a forge without annotations has none."""
    if check.annotations == 0:
        return Remarks()
    try:
        found = await forge.checks.annotations(repository, check)
    except Unsupported:
        return Remarks()
    except ForgeError as error:
        return Remarks(gap=f"the annotations could not be read: {error.message}")
    failed = [one for one in found if one.level == "failure"]
    return _sorted_out(failed, parsers, found.cut)


def _sorted_out(failed: list[Annotation], parsers: ParserSet, cut: str) -> Remarks:
    known: list[Failure] = []
    places: list[Annotation] = []
    general: list[str] = []
    for one in failed:
        if understood := _understood(one, parsers):
            known += understood
        elif _names_a_place(one):
            places.append(one)
        else:
            general.append(one.message)
    general.sort(key=lambda text: bool(EXIT.match(text)))  # that it failed is known
    gap = cut or (f"only {MOST} of {len(places)} annotations are entries" if len(places) > MOST else "")
    whole = tuple(one for one in failed if not _names_a_place(one))
    hint = "\n".join(general[:3])
    return Remarks(failures=tuple(known), places=tuple(places[:MOST]), whole=whole, hint=hint, gap=gap)


def _names_a_place(one: Annotation) -> bool:
    return not one.path.startswith(".github") and not EXIT.match(one.message)


def _understood(one: Annotation, parsers: ParserSet) -> list[Failure]:
    """Read an annotation as the line of a log that it once was."""
    reader = LogReader(parsers.literals)
    reader.feed(f"##[error]{one.message}\n".encode(errors="replace"))
    return [failure for told in reader.finish() for failure in told.failures if not failure.flaky]
