"""A proxy before a forge that answers with its own page."""

from contextlib import contextmanager

import pytest

from stithy_core.testing import Tape, playback


@pytest.fixture
def html_proxy():
    """Give what serves one page, whatever is asked."""

    @contextmanager
    def serve(status):
        page = {"status": {"code": status}, "headers": {"Content-Type": ["text/html"]}, "body": {"string": "<html>"}}
        tape = Tape()
        tape.add({"method": "GET", "uri": "/api/v1/repos/smith/anvil/pulls/1", "body": ""}, page)
        with playback(tape) as url:
            yield url
        assert not tape.missed

    return serve
