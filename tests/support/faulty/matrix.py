"""All faults of all forges, as parameters of tests, and what every error must have."""

import re
from typing import Any

import pytest

from faulty import elsewhere, failures, gitlab_faults, limits, refusals
from faulty.fault import Fault, Meaning
from faulty.gitlab_faults import GITLAB
from faulty.server import FLAVOURS, MASK, TOKEN, Flavour
from stithy_core.spi import ForgeError

GROUPS = {"refusals": refusals.OF, "limits": limits.OF, "failures": failures.OF, "elsewhere": elsewhere.OF}

ALL = [*FLAVOURS, GITLAB]
"""GitLab's conversation is that of a merge request, which many other tests of faults know nothing of."""


def faults(*groups: str) -> list[Any]:
    """Return each flavour with each of its faults."""
    return [
        pytest.param(flavour, fault, id=f"{flavour.name}-{fault.name}")
        for flavour in ALL
        for group in groups or GROUPS
        for fault in _list_faults(group, flavour)
    ]


def _list_faults(group: str, flavour: Flavour) -> list[Fault]:
    return gitlab_faults.OF[group] if flavour is GITLAB else GROUPS[group][flavour]


def check(error: ForgeError, fault: Fault, meaning: Meaning) -> None:
    """Make sure that an error says what a fault means."""
    assert type(error) is meaning.kind, repr(error)
    assert re.search(meaning.words, error.message), error.message
    assert meaning.remedy in error.suggestion
    assert (error.code, error.category) == (-32002, "api")
    assert error.details["forge"] == "lab"
    assert error.details.get("status") == fault.status
    if fault.said is not None:
        assert error.details["message"] == (f"{fault.said} {MASK}" if fault.said else "")
    assert error.retry_after == (None if fault.wait is None else pytest.approx(fault.wait, abs=2))


def secrets_in(error: BaseException | None) -> list[tuple[str, str, str]]:
    """Return the texts of an error and its causes that hold the token."""
    led = []
    while error is not None and error not in led:
        led.append(error)
        error = error.__cause__ or error.__context__
    told = [(repr(step), str(step), repr(getattr(step, "as_dict", dict)())) for step in led]
    return [texts for texts in told if TOKEN in "".join(texts)]
