"""Fine for all."""


class Fruit:
    """A fruit."""

    def name(self) -> str:
        """Tell."""
        return "x"
