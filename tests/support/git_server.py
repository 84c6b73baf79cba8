"""Real repositories on the loopback interface, served by real git: what the doubles of forges share.

Whatever is below a repository is answered by `git http-backend`, behind a token if need be.
"""

import base64
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote


class GitServed:
    """The state of a server: `packs` counts responses with objects, `sent` all bytes.

    `old` selects git's first protocol.

    Args:
        folder: Below which the repositories are.
        token: What git must hand in as its password; empty lets everybody in.
    """

    def __init__(self, folder: Path, token: str = "") -> None:
        self.folder, self.token = folder, token
        self.url = ""
        self.packs = self.sent = 0
        self.old = False
        self.environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self.redirect = ""
        self.authorized: list[str] = []

    def lets_in(self, headers: Message) -> bool:
        given = headers.get("Authorization", "")
        word = base64.b64decode(given.removeprefix("Basic ")).decode() if given.startswith("Basic ") else ""
        return not self.token or word.partition(":")[2] == self.token


class GitHandler(BaseHTTPRequestHandler):
    """Answers git for `served`, which `serving_git` sets on a class of its own; a double answers the rest."""

    served: GitServed

    disable_nagle_algorithm = True
    protocol_version = "HTTP/1.1"

    def backend(self, path: str, query: str) -> None:
        body, served = self.body(), self.served
        served.authorized.append(self.headers.get("Authorization", ""))
        if served.redirect:
            where = f"{served.redirect}{path.partition('.git')[2]}?{query}"
            return self.give(301, [("Location", where)], b"")
        if not served.lets_in(self.headers):
            return self.give(401, [("WWW-Authenticate", 'Basic realm="git"')], b"")
        command = ["git", "http-backend"]
        environ = served.environ | self.cgi(path, query, body)
        out = subprocess.run(command, input=body, env=environ, capture_output=True).stdout
        head, _, content = out.partition(b"\r\n\r\n")
        served.packs += b"PACK" in content
        served.sent += len(content)
        pairs = [line.decode().split(": ", 1) for line in head.split(b"\r\n")]
        status = int(dict(pairs).get("Status", "200").split()[0])
        return self.give(status, [pair for pair in pairs if pair[0] != "Status"], content)

    def cgi(self, path: str, query: str, body: bytes) -> dict[str, str]:
        """Return the variables that CGI passes to a program, with git's permission to export all repositories."""
        protocol = "" if self.served.old else self.headers.get("Git-Protocol", "")
        return {
            "GIT_PROJECT_ROOT": str(self.served.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            "PATH_INFO": unquote(path),
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": protocol,
            "REMOTE_ADDR": "127.0.0.1",
        }

    def body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        pieces = []
        while size := int(self.rfile.readline(), 16):
            pieces.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(pieces)

    def give(self, status: int, headers: Iterable[Sequence[str]], content: bytes) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving_git(served: GitServed, handler: type[GitHandler]) -> Iterator[None]:
    """Serve the requests of a double, and set its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Serving", (handler,), {"served": served}))
    served.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
