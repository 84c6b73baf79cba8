"""What GitHub means by an answer that is no success."""

from stithy_core.spi import ForgeError, Refusal


def explain(refusal: Refusal) -> ForgeError | None:
    """Tell what is wrong from GitHub's headers and words; None leaves it to the status."""
    return None
