"""What mypy finds."""

import nowhere_to_be_found

from shop.other import Fruit, missing


def total(prices: list[int]) -> int:
    """Add."""
    return sum(prices) + "1"


number: int = "a text that is long, so that with --pretty what is wrong here does not fit into a single line"
fruit: Fruit = total(["one", "two"])
both: tuple[int, str] = (1, 2, nowhere_to_be_found.thing)


def untyped(a, b):
    return a.error(b)


fruit.colour = "m.py:3: error: not one of ours  [assignment]"
total(1, 2); total(3, 4)
reveal_type(fruit)
