"""A forge and a Redis that fail under load: no wrong answer, no secret, and recovery without a restart."""

from collections import Counter
from itertools import count

import anyio
import httpx
import pytest
from loopback import RESET, message

pytestmark = [pytest.mark.anyio, pytest.mark.redis]

OWN = "o-forge-token-9876543210abcdef"
ASKERS = 8
TURNS = 12


class Fickle:
    """A forge with one right answer for each path, which sometimes fails instead."""

    def __init__(self):
        self.is_well = False
        self._turn = count()

    def __call__(self, received):
        """Answer a request, or fail in one of several ways in turn."""
        right = message(200, {"you asked for": received.target}, etag=f'"{received.target}"')
        quoting = {"message": f"who sent {received.headers}?"}
        faults = [message(500, quoting), RESET, message(401, quoting), b"", right[:-9], message(200, b"{not json")]
        turn = next(self._turn)
        return right if self.is_well or turn % 3 else faults[turn // 3 % len(faults)]


@pytest.fixture
def fickle(forge):
    """Make the forge answer every path like that."""
    answers = Fickle()
    forge.answers |= {f"GET /{name}": answers for name in range(ASKERS * TURNS)}
    return answers


async def test_under_load_and_failures_no_answer_is_wrong(pond, forge, fickle, own_redis):
    heard, statuses = bytearray(), Counter()

    async def ask(http, name):
        answer = await http.get(f"/read/{name}")
        heard.extend(str(answer.headers).encode() + answer.content)
        statuses[answer.status_code] += 1
        assert answer.status_code != 200 or answer.json() == {"you asked for": f"/{name}"}
        return answer

    async def asker(http, number):
        for turn in range(TURNS):
            if (number, turn) == (0, TURNS // 2):
                own_redis.stop()
            await ask(http, number * TURNS + turn)

    async with (
        pond(POND=OWN, STITHY_REDIS_URL=own_redis.url, STITHY_LOG="debug") as served,
        httpx.AsyncClient(base_url=served.url, timeout=60) as http,
    ):
        async with anyio.create_task_group() as group:
            for number in range(ASKERS):
                group.start_soon(asker, http, number)
        fickle.is_well = True
        while (answer := await ask(http, 0)).status_code != 200:
            assert answer.json()["error"]["code"]
        heard += (await http.get("/metrics")).content
        await served.end()
    assert statuses[200]
    assert statuses.keys() > {200}
    assert OWN.encode() not in heard + bytes(served.said)
