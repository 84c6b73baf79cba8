"""A loopback proxy that loses requests or responses on demand."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import time_machine
from attrs import define
from beside import beside

PASSED = ("content-type", "date", "location")


@define
class Losses:
    """The coming losses: requests or responses of one method, and whether everything after the first loss is lost."""

    requests: str = ""
    answers: str = ""
    then_all: bool = False
    lost: int = 0

    def lose(self, method: str) -> bool:
        """Return whether to lose this request."""
        losing = method in (self.requests, self.answers) or (self.then_all and self.lost > 0)
        self.lost += losing
        return losing


@contextmanager
def lossy(upstream: str) -> Iterator[tuple[str, Losses]]:
    """Serve a proxy to a forge; yield its URL and its losses.

    What was lost is looked for from the time on at which it was sent, by the forge's clock: the forge's latest date and
    what has passed since. A recorded forge's clock does not go on, so time stands still here, too: else what a slow
    machine sends seconds later would have been written before it was sent.
    """
    losses = Losses()

    class Proxy(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            losing = losses.lose(self.command)
            if losing and self.command != losses.answers:
                return
            headers = {name: self.headers[name] for name in ("authorization", "content-type") if name in self.headers}
            answer = httpx.request(self.command, upstream + self.path, content=body, headers=headers)
            if losing:
                return
            self.send_response_only(answer.status_code)
            for name in PASSED:
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        do_GET = do_POST = do_PATCH = answer

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    with beside(server), time_machine.travel(datetime.now(UTC), tick=False):
        yield f"http://127.0.0.1:{server.server_port}", losses
