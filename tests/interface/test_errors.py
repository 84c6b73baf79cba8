"""An error is caused by the failure that it explains, and never by itself."""

import pytest

from stithy_core.spi import Forbidden, Locked, raise_explained


def read_causes(error):
    """Return the causes of an error, up to three of them."""
    causes = [error.__cause__]
    while causes[-1] is not None and len(causes) <= 3:
        causes.append(causes[-1].__cause__)
    return causes[:-1] if causes[-1] is None else causes


def test_an_explanation_is_caused_by_the_error():
    error, explained = Forbidden("no"), Locked("it is locked")
    with pytest.raises(Locked) as caught:
        raise_explained(explained, error)
    assert read_causes(caught.value) == [error]


def test_an_error_that_explains_itself_keeps_its_cause():
    cause, error = OSError("closed"), Forbidden("no")
    error.__cause__ = cause
    with pytest.raises(Forbidden) as caught:
        raise_explained(error, error)
    assert read_causes(caught.value) == [cause]
