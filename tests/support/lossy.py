"""A loopback proxy that loses requests or responses on demand."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
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
    """Serve a proxy to a forge; yield its URL and its losses."""
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

    with beside(ThreadingHTTPServer(("127.0.0.1", 0), Proxy)) as server:
        yield f"http://127.0.0.1:{server.server_port}", losses
