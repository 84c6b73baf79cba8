"""Failures of a server, of the way to it, and of what comes back."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
from loopback import RESET, message

from faulty.fault import PASSING, UNCLEAR, Fault, Meaning
from faulty.server import FORGEJO, GITEA, GITHUB, TOKEN, FaultyForge
from stithy_core.spi import NotTheApi, TooLarge, Unavailable

MB = 1_000_000
HEAD = b"HTTP/1.1 200 -\r\ncontent-type: application/json\r\n"
PORTAL = f"<!DOCTYPE html><html><head><title>Sign in</title></head><body>{TOKEN}</body></html>".encode()
COMMENT = json.dumps([{"id": 1, "body": "Grüße"}], ensure_ascii=False).encode("latin-1")

DOWN = Meaning(kind=Unavailable, words="50", remedy="Nothing was changed; try again later.", asked=3)
GIVEN_UP = Meaning(kind=Unavailable, words="gave no answer", remedy="Nothing was changed; try again later.")
NOT_THE_API = Meaning(kind=NotTheApi, words="web page", remedy="whether a proxy or a log-in page")
BROKEN = Meaning(kind=NotTheApi, words="answered 200 to .*, but its body", remedy="Try again later.", asked=3)
TOO_LARGE = Meaning(kind=TooLarge, words="its body is over 20,971,520 bytes", remedy="Ask for less")


def failing(
    name: str, status: int, text: str, read: Meaning = DOWN, wait: float | None = None, **headers: Any
) -> Fault:
    """Make a server's error, in JSON."""
    return Fault(
        name=name,
        answer=lambda forge: forge.refuse(status, text, **headers),
        read=read,
        write=UNCLEAR,
        status=status,
        said=text,
        wait=wait,
    )


def page(name: str, status: int, raw: bytes, read: Meaning) -> Fault:
    """Make a web page."""
    answer = message(status, raw, content_type="text/html", x_echo=TOKEN)
    return Fault(name=name, answer=lambda _: answer, read=read, write=UNCLEAR, status=status)


def silence(name: str, answer: Callable[[FaultyForge], Any], read: Meaning = PASSING, *, slow: bool = False) -> Fault:
    """Make the lack of a whole answer."""
    return Fault(name=name, answer=answer, read=read, write=UNCLEAR, slow=slow)


def bad_body(name: str, raw: bytes, read: Meaning = BROKEN) -> Fault:
    """Make an answer of status 200 that cannot be used."""
    return Fault(name=name, answer=lambda _: message(200, raw), read=read, write=UNCLEAR, status=200)


def stall_body(forge: FaultyForge) -> Callable[[Any], AsyncIterator[bytes]]:
    """Start a body, and send nothing more."""

    async def answer(_: Any) -> AsyncIterator[bytes]:
        yield HEAD + b"content-length: 100\r\n\r\n[{"
        await forge.ending.wait()

    return answer


def dripping(forge: FaultyForge) -> Callable[[Any], AsyncIterator[bytes]]:
    """Send a body that never ends, and never pauses for long."""

    async def answer(_: Any) -> AsyncIterator[bytes]:
        yield HEAD + b"\r\n"
        while not forge.ending.is_set():
            yield b" "
            await anyio.sleep(0.01)  # else it would keep a core busy until the answer is given up

    return answer


BAD_GATEWAY = b"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>%s</body></html>" % TOKEN.encode()
ONCE = Meaning(kind=Unavailable, words="503", remedy="Nothing was changed; try again later.")

COMMON = [
    failing("503", 503, "Service Unavailable"),
    failing("503-seconds", 503, "Service Unavailable", ONCE, 7, retry_after=7),
    page("502", 502, BAD_GATEWAY, DOWN),
    page("504", 504, BAD_GATEWAY.replace(b"502 Bad Gateway", b"504 Gateway Time-out"), DOWN),
    silence("reset", lambda _: RESET),
    silence("lost", lambda _: b""),
    silence("cut-off", lambda _: message(200, b"[{", content_length=100)),
    silence("silent", lambda _: None, GIVEN_UP, slow=True),
    silence("stalled-body", stall_body, GIVEN_UP, slow=True),
    silence("dripping-body", dripping, GIVEN_UP, slow=True),
    page("html-200", 200, PORTAL, NOT_THE_API),
    bad_body("truncated-json", b'[{"id": 1, "body": "Gree'),
    bad_body("wrong-charset", COMMENT),
    bad_body("30-mb", b'["' + bytes(30 * MB) + b'"]', TOO_LARGE),
    bad_body("another-api", b'{"ok": false}'),
    bad_body("empty-200", b""),
    bad_body("null-200", b"null"),
]
ONE_REQUEST = Meaning(kind=Unavailable, words="500", remedy="Nothing was changed; try again later.")
OF_GITEA = [failing("500", 500, "", ONE_REQUEST), *COMMON]
OF_GITHUB = [failing("500", 500, "Server Error", ONE_REQUEST), *COMMON]
OF = {GITEA: OF_GITEA, FORGEJO: OF_GITEA, GITHUB: OF_GITHUB}
