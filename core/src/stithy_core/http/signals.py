"""Why a policy gives no answer. The room's own: `faults` makes them errors, once and for each caller."""


class Signal(Exception):
    """The root."""


class Spent(Signal):
    """The limit says no, and the forge was not asked.

    Args:
        wait: Seconds until it may say yes.
        reason: What is used up.
    """

    def __init__(self, wait: float, reason: str) -> None:
        super().__init__(reason)
        self.wait = wait
        self.reason = reason


class Open(Signal):
    """The breaker of a host is open, and it was not asked.

    Args:
        wait: Seconds until it is asked again.
        reason: What its last failure was.
    """

    def __init__(self, wait: float, reason: str) -> None:
        super().__init__(reason)
        self.wait = wait
        self.reason = reason


class Unreadable(Signal):
    """An answer came whose body cannot be used.

    Args:
        status: Its HTTP status.
        reason: What is wrong with the body; follows "but".
        too_large: Whether there is just too much of it.
    """

    def __init__(self, status: int, reason: str, *, too_large: bool = False) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.too_large = too_large
