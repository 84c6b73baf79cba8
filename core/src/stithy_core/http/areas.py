"""Which limit a request falls under, learned from the answers to others like it."""

from attrs import Factory, define

MOST = 1_000

Area = tuple[str, str]
"""A path by its first two segments and by its first: `("search/code", "search")`."""


def area_of(path: str) -> Area:
    """Give what a path below the API's own is known by."""
    first, _, rest = path.lstrip("/").partition("/")
    return f"{first}/{rest.partition('/')[0]}", first


@define
class Areas:
    """Knows the limit of paths by their first segment, and by two where those of one first segment differ."""

    _learned: dict[str, str] = Factory(dict)

    def resource(self, area: Area) -> str:
        """Name the limit of an area; "" where no answer has told it yet."""
        both, first = area
        return self._learned.get(both, self._learned.get(first, ""))

    def learn(self, area: Area, resource: str) -> None:
        """Hear which limit an answer named."""
        both, first = area
        if self._learned.setdefault(first, resource) == resource:
            self._learned.pop(both, None)
        elif len(self._learned) < MOST:
            self._learned[both] = resource
