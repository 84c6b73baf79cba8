"""What every test may ask for."""

import pytest

pytest_plugins = ["stithy_core.testing"]


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(params=["legacy", "auto"])
def mode(request):
    """Both eras of the protocol: the handshake, and what came after it."""
    return request.param
