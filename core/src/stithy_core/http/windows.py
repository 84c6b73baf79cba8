"""What was paid within the last minute."""

from collections import deque

from attrs import Factory, define

MINUTE = 60


@define
class Window:
    """What was paid within a minute, by the second in which it was."""

    total: int = 0
    _seconds: deque[list[int]] = Factory(deque)

    def wait(self, amount: int, most: int | None, now: float) -> float:
        """Give the seconds until there is room for an amount."""
        while self._seconds and self._seconds[0][0] + MINUTE + 1 <= now:
            self.total -= self._seconds.popleft()[1]
        if most is None or self.total == 0:
            return 0.0
        over = self.total + amount - most
        for second, paid in self._seconds:
            if over <= 0:
                break
            over -= paid
            if over <= 0:
                return second + MINUTE + 1 - now
        return 0.0 if over <= 0 else MINUTE

    def add(self, amount: int, now: float) -> None:
        """Pay."""
        second = int(now)
        if not self._seconds or self._seconds[-1][0] != second:
            self._seconds.append([second, 0])
        self._seconds[-1][1] += amount
        self.total += amount
