"""The double on loopback: one port answers as GitHub, another holds logs and archives, as elsewhere they do."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from beside import beside

from github_double.answering import Double
from github_double.requests import Request, Response
from github_double.world import World


@contextmanager
def running(world: World) -> Iterator[Double]:
    """Serve a world, and yield its double.

    Raises:
        AssertionError: A response differed from GitHub's description, or GitHub lacks a requested field or endpoint.
    """
    double = Double(world=world)
    with (
        serve_function(double.answer) as double.url,
        serve_function(lambda asked: serve_download(world, asked)) as double.storage,
    ):
        yield double
    assert not double.faults, double.faults


def serve_download(world: World, asked: Request) -> Response:
    """Return a log or an archive for a signed URL; refuse a request with a token."""
    kind, _, number = asked.path.strip("/").partition("/")
    repositories = world.repositories.values()
    logs = {job.id: job.log for one in repositories for run in one.runs.values() for job in run.jobs}
    archives = {found.id: found.content for one in repositories for found in one.artifacts.values()}
    kinds: dict[str, Mapping[int, bytes | None]] = {"logs": logs, "artifacts": archives}
    content = kinds.get(kind, {}).get(int(number))
    if "authorization" in asked.headers:
        return 400, {"Content-Type": "application/xml"}, b"<Error><Code>InvalidArgument</Code></Error>"
    if asked.query.get("sig") != "signed" or content is None:
        return 403, {"Content-Type": "application/xml"}, b"<Error><Code>AuthenticationFailed</Code></Error>"
    return 200, {"Content-Type": "text/plain" if kind == "logs" else "application/zip"}, content


@contextmanager
def serve_function(answer: Callable[[Request], Response]) -> Iterator[str]:
    """Serve a function on a free loopback port, and yield its URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # head and body go out as two packets

        def reply(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, headers, content = answer(Request.of(self.command, parts, headers, body))
            if status is None:
                self.close_connection = True
                return
            self.send_response_only(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if status != 304:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_HEAD = do_POST = do_PATCH = do_PUT = do_DELETE = reply

        def log_message(self, *args: object) -> None:
            pass

    with beside(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as server:
        yield f"http://127.0.0.1:{server.server_port}"
