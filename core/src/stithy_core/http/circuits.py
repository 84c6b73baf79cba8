"""Which hosts are left alone for a while: counted here for one process, over Redis for several (`stores.redis`)."""

from collections import OrderedDict
from typing import Protocol

from attrs import define, frozen

MOST_FAILURES = 5
OPEN = 15.0
PROBE = 75.0  # longer than any request takes (`reading.LONGEST`): what a dead process held becomes free then
MOST_HOSTS = 1_000


@frozen
class Admission:
    """What a breaker said to a request.

    Args:
        wait: Seconds until it lets one through; 0 where this one is.
        probe: Whether this is the one that finds out whether the host is back.
        clean: Whether nothing is counted against the host, so that a success changes nothing.
        reason: What the host's last failure was, where none is let through.
    """

    wait: float = 0.0
    probe: bool = False
    clean: bool = False
    reason: str = ""


class Circuits(Protocol):
    """Where the failures of hosts are counted."""

    async def admit(self, host: str, now: float) -> Admission:
        """Let a request through, or say when one will be; of a host that failed, only one at a time finds out."""
        ...

    async def succeeded(self, host: str, admission: Admission) -> None:
        """Hear that the host answered."""
        ...

    async def failed(self, host: str, admission: Admission, now: float, reason: str) -> None:
        """Hear that the host itself failed, and how."""
        ...

    async def released(self, host: str, admission: Admission) -> None:
        """Hear that nothing is known: the request was given up."""
        ...


CLEAN = Admission(clean=True)


@define
class _Circuit:
    failures: int = 0
    open_until: float = 0.0
    probed_until: float = 0.0
    reason: str = ""


class LocalCircuits:
    """The breakers of this process: closed, open after so many failures in a row, half open after a while."""

    def __init__(self) -> None:
        self._circuits: OrderedDict[str, _Circuit] = OrderedDict()

    async def admit(self, host: str, now: float) -> Admission:
        """Let a request through, or say when one will be."""
        if (circuit := self._circuits.get(host)) is None:
            return CLEAN
        if not circuit.open_until:
            return Admission()
        if (wait := max(circuit.open_until, circuit.probed_until) - now) > 0:
            return Admission(wait=wait, reason=circuit.reason)
        circuit.probed_until = now + PROBE
        return Admission(probe=True)

    async def succeeded(self, host: str, admission: Admission) -> None:
        """Hear that the host answered: its failures are forgotten, but only a probe closes a breaker."""
        circuit = self._circuits.get(host)
        if circuit is not None and (admission.probe or not circuit.open_until):
            del self._circuits[host]

    async def failed(self, host: str, admission: Admission, now: float, reason: str) -> None:
        """Hear that the host itself failed, and how."""
        circuit = self._circuits.setdefault(host, _Circuit())
        circuit.failures += 1
        circuit.reason = reason
        if admission.probe or (not circuit.open_until and circuit.failures >= MOST_FAILURES):
            circuit.open_until, circuit.probed_until = now + OPEN, 0.0
        if len(self._circuits) > MOST_HOSTS:
            self._circuits.popitem(last=False)

    async def released(self, host: str, admission: Admission) -> None:
        """Hear that nothing is known, so that another may find out."""
        circuit = self._circuits.get(host)
        if circuit is not None and admission.probe:
            circuit.probed_until = 0.0
