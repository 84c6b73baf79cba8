"""What an agent gets of each fault: the error's structure and text, enough to act on, and the token nowhere."""

import pytest
from faulty.matrix import faults
from faulty.server import TOKEN

pytestmark = pytest.mark.anyio

PREFIX = {
    "read": "Failed to list pull request comments: ",
    "write": "Failed to create pull request comment: ",
}
PATIENCE = {"read": 0.2, "write": 2.0}
"""Seconds until an answer is given up where time has to run out: a write has to arrive before."""


# Where Forgejo's words are Gitea's, so is everything else: they are one plugin.
CASES = {(row.values[0].kind, row.values[1]): row for row in reversed(faults())}.values()


@pytest.mark.parametrize("what", PREFIX)
@pytest.mark.parametrize("case", [pytest.param(row.values, id=row.id) for row in CASES])
async def test_faults_in_outputs(begin, agent, caplog, case, what):
    flavour, fault = case
    caplog.set_level("DEBUG")
    server = await begin(flavour, fault, getattr(flavour, what), patience=PATIENCE[what])
    async with agent(flavour, server.url) as call:
        result = await call(what)
    said, text = result.structured_content, result.content[0].text
    assert result.is_error
    assert (said["code"], said["category"]) == (-32002, "api")
    assert said["error"].startswith(PREFIX[what])
    assert getattr(fault, what).remedy in said["suggestion"]
    again = [f"Retry after {said['retry_after']:g} seconds."] if said.get("retry_after") else []
    assert text.splitlines() == [said["error"], said["suggestion"], *again]
    assert ("retry_after" in said) == (fault.wait is not None)
    assert TOKEN not in f"{result.model_dump_json()}{caplog.text}"
    assert (server.count(flavour.write), server.comments) == (what == "write", [])
