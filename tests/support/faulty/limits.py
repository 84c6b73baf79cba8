"""Limits: GitHub's own, and those of a proxy that stands before a Gitea or Forgejo, which have none."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from loopback import message

from faulty.fault import Fault, Meaning
from faulty.server import FORGEJO, GITEA, GITHUB, TOKEN
from stithy_core.spi import RateLimited

WAIT = Meaning(kind=RateLimited, words="429|403", remedy="Wait as long as")
SPENT = Meaning(
    kind=RateLimited, words="limit of 5000 requests an hour for core is exhausted", remedy="until it resets"
)
SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to "
    "GitHub Support for help, please include the request ID C0DE:1234:5678:9ABC."
)
PRIMARY = "API rate limit exceeded for user ID 7."
PAGE = f"<html>\r\n<head><title>429 Too Many Requests</title></head>\r\n<body>{TOKEN}</body>\r\n</html>\r\n"


def limit(
    name: str,
    status: int,
    text: str,
    wait: float,
    meaning: Meaning = WAIT,
    *,
    headers: Callable[[], Mapping[str, Any]] = dict,
) -> Fault:
    """Make a limit; `headers` is called when the answer is made, since some hold the time."""
    return Fault(
        name=name,
        answer=lambda forge: forge.refuse(status, text, **headers()),
        read=meaning,
        write=meaning,
        status=status,
        said=text,
        wait=wait,
    )


def on_a_page(name: str, wait: float, **headers: object) -> Fault:
    """Make the limit of a proxy, which says it with a web page."""
    return Fault(
        name=name,
        answer=lambda _: message(429, PAGE.encode(), **{"content_type": "text/html"} | headers),
        read=WAIT,
        write=WAIT,
        status=429,
        wait=wait,
    )


def until_a_date() -> dict[str, object]:
    now = datetime.now(UTC)
    then = now + timedelta(seconds=120)
    return {"date": format_datetime(now, usegmt=True), "retry_after": format_datetime(then, usegmt=True)}


def of_the_hour() -> dict[str, object]:
    reset = int(datetime.now(UTC).timestamp()) + 90
    left = {"limit": 5000, "remaining": 0, "used": 5000, "resource": "core", "reset": reset}
    return {f"x_ratelimit_{name}": value for name, value in left.items()}


COMMON = [
    limit("429-seconds", 429, "Too Many Requests", 17, headers=lambda: {"retry_after": 17}),
    limit("429-date", 429, "Too Many Requests", 120, headers=until_a_date),
    limit("429-bare", 429, "Too Many Requests", 60),
    on_a_page("429-page", 17, retry_after=17),
]
OF_GITHUB = [
    limit("403-primary", 403, PRIMARY, 91, SPENT, headers=of_the_hour),
    limit("429-primary", 429, PRIMARY, 91, SPENT, headers=of_the_hour),
    limit("403-secondary", 403, SECONDARY, 60),
    limit("403-secondary-seconds", 403, SECONDARY, 42, headers=lambda: {"retry_after": 42}),
]
OF = {GITEA: COMMON, FORGEJO: COMMON, GITHUB: COMMON + OF_GITHUB}
