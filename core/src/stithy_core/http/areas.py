"""Which limit a request falls under, learned from the answers to others like it."""

from collections import OrderedDict

MOST = 1_000


class Areas:
    """Knows paths by their first segment, and by two where those of one first segment differ (`/search/code`).

    Args:
        base: The path of the API.
    """

    def __init__(self, base: str) -> None:
        self._base = base.rstrip("/") + "/"
        self._learned: dict[str, str] = {}
        self._exceptions: OrderedDict[str, str] = OrderedDict()

    def below(self, path: str) -> str:
        """Give a path as it is below the API's own."""
        return "/" + path.removeprefix(self._base).lstrip("/")

    def resource(self, path: str) -> str:
        """Name the limit of a path; "" where no answer has told it yet."""
        first, both = self._segments(path)
        return self._exceptions.get(both) or self._learned.get(first, "")

    def learn(self, path: str, resource: str) -> None:
        """Hear which limit an answer named."""
        first, both = self._segments(path)
        if len(self._learned) < MOST and self._learned.setdefault(first, resource) == resource:
            self._exceptions.pop(both, None)
            return
        self._exceptions[both] = resource
        if len(self._exceptions) > MOST:
            self._exceptions.popitem(last=False)

    def _segments(self, path: str) -> tuple[str, str]:
        first, _, rest = path.removeprefix(self._base).lstrip("/").partition("/")
        return first, f"{first}/{rest.partition('/')[0]}"
