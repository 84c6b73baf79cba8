"""What the comments service spends of a forge's quota, and the work it does once for all who ask at the same time."""

import anyio
import pytest

from stithy_comments.service.shared_answers import BudgetAccount, RequestBudget
from stithy_comments.service.single_flight import Flights
from stithy_core.spi import NotFound, RateLimited

pytestmark = pytest.mark.anyio

COMBINED = "/forges/play/repos/smith/anvil/pulls/2/comments/combined"
ANVIL, HORN = BudgetAccount("", "play", "smith/anvil"), BudgetAccount("", "play", "smith/horn")


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def count_admitted(admission, account, most=10_000):
    """Count how many requests are admitted."""
    for number in range(most):
        try:
            admission.admit(account)
        except RateLimited:
            return number
    return most


@pytest.fixture
def clock():
    return Clock()


async def test_in_no_hour_more_is_spent_than_the_settings_say(clock):
    admission = RequestBudget(1_000, clock)
    found = 0
    for minute in range(61):
        clock.now = 60.0 * minute
        found += count_admitted(admission, ANVIL) + count_admitted(admission, HORN)
    assert 900 < found <= 1_000


async def test_one_repository_cannot_spend_what_is_for_the_others(clock):
    admission = RequestBudget(1_000, clock)
    assert count_admitted(admission, ANVIL) == 100
    assert count_admitted(admission, HORN) == 100


async def test_the_answer_says_when_there_is_something_again(clock):
    admission = RequestBudget(1_000, clock)
    count_admitted(admission, ANVIL)
    with pytest.raises(RateLimited) as refused:
        admission.admit(ANVIL)
    clock.now += refused.value.retry_after
    admission.admit(ANVIL)


async def test_a_large_answer_is_paid_afterwards(clock):
    admission = RequestBudget(1_000, clock)
    admission.charge(ANVIL, 150)
    with pytest.raises(RateLimited) as refused:
        admission.admit(HORN if count_admitted(admission, HORN) else ANVIL)
    assert refused.value.retry_after > 0


async def test_a_delegated_token_has_a_quota_of_its_own(clock):
    admission = RequestBudget(1_000, clock)
    count_admitted(admission, ANVIL)
    assert count_admitted(admission, BudgetAccount("somebody's", "play", "smith/anvil")) == 100


async def test_the_smallest_limit_lets_something_through(clock):
    assert count_admitted(RequestBudget(1, clock), ANVIL) == 1


async def test_no_limit_admits_everything(clock):
    assert count_admitted(RequestBudget(0, clock), ANVIL, 5_000) == 5_000


async def test_a_refused_caller_gets_a_time_to_retry(service):
    async with service("[comments]\nrequests_per_hour = 10\n") as get:
        first, (status, answer, headers) = await get(COMBINED), await get(COMBINED)
    assert (first[0], status, answer["error"]["code"]) == (200, 429, "rate_limited")
    assert int(headers["retry-after"]) == answer["error"]["retry_after_seconds"] > 0
    assert "10 requests per hour" in answer["error"]["message"]


async def test_a_wrong_setting_is_an_answer(service):
    async with service('[comments]\nrequests_per_hour = "many"\n') as get:
        status, answer, _ = await get(COMBINED)
    assert (status, answer["error"]["code"]) == (500, "config_error")


class Work:
    """Something to do, that ends when it is told to; it counts how often it was begun."""

    def __init__(self, error=None):
        self.begun = 0
        self.may_end = anyio.Event()
        self._error = error

    async def __call__(self):
        self.begun += 1
        await self.may_end.wait()
        if self._error:
            raise self._error
        return self.begun


async def together(count, ask):
    """Ask several times at once; give what each was given, or the error."""
    found = []

    async def one():
        try:
            found.append(await ask())
        except NotFound as error:
            found.append(error)

    async with anyio.create_task_group() as group:
        for _ in range(count):
            group.start_soon(one)
        await anyio.wait_all_tasks_blocked()
        ask.work.may_end.set()
    return found


def joining(work):
    """Return a function that joins one piece of work by one key."""
    flights = Flights()

    async def ask():
        return await flights.join("key", work)

    ask.work = work
    return ask


async def test_a_thousand_who_ask_at_once_are_one():
    work = Work()
    assert await together(1_000, joining(work)) == [1] * 1_000


async def test_an_error_is_everyones():
    error = NotFound("none")
    assert await together(3, joining(Work(error))) == [error] * 3


async def test_after_its_end_the_work_starts_again():
    work = Work()
    work.may_end.set()
    ask = joining(work)
    assert [await ask(), await ask()] == [1, 2]


async def test_others_are_not_harmed_by_who_turns_away():
    work = Work()
    ask = joining(work)
    async with anyio.create_task_group() as group:
        scope = anyio.CancelScope()

        async def impatient():
            with scope:
                await ask()

        group.start_soon(impatient)
        await anyio.wait_all_tasks_blocked()
        group.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        scope.cancel()
        await anyio.wait_all_tasks_blocked()
        assert work.begun == 2
        work.may_end.set()


async def test_old_work_is_not_joined(monkeypatch):
    """Between the two somebody may have said something, which is why the second asks."""
    monkeypatch.setattr("stithy_comments.service.single_flight.JOINABLE", 0.0)
    work = Work()
    assert sorted(await together(3, joining(work))) == [1, 2, 3]
