"""Recording of real exchanges with vcrpy, for `playback`, without tokens and the addresses of servers.

It needs vcrpy, which the extra `record` installs.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from stithy_core.redaction import redact
from stithy_testing.cassettes import is_recorded_header

UNRECORDED = "X-Unrecorded"
"""A header for requests that are not recorded, such as those that prepare the server."""


class _Scrubber:
    """Removes tokens and the addresses of servers from exchanges.

    Args:
        servers: The recorded host names by URL of the servers.
        url: The URL of the first server.
        shorten: Returns the part of a response body to record.
    """

    def __init__(self, servers: Mapping[str, str], url: str, shorten: Callable[[bytes], bytes]) -> None:
        self._urls = {at: f"https://{name}" for at, name in servers.items()}
        hosts = {urlsplit(at).netloc: name for at, name in servers.items()}
        self._names = self._urls | hosts | {urlsplit(url).hostname or url: servers[url]}
        self._shorten = shorten

    def clean_request(self, request: Any) -> Any:
        """Return a request without its server's address and its token; None if it is not recorded."""
        if UNRECORDED in request.headers or not request.uri.startswith((*self._urls, *self._urls.values())):
            return None
        request = copy(request)
        for at, instead in self._urls.items():
            request.uri = re.sub(rf"^{re.escape(at)}", instead, request.uri)
        request.headers = {name: value for name, value in request.headers.items() if name.lower() == "content-type"}
        return request

    def clean_response(self, response: dict[str, Any]) -> dict[str, Any]:
        """Return a response with shortened body, without credentials and cookies, and without addresses of servers."""
        headers = {name: values for name, values in response["headers"].items() if is_recorded_header(name)}
        response["headers"] = {name: [self._clean_header(item) for item in items] for name, items in headers.items()}
        body = _redact_body(self._shorten(response["body"]["string"]))
        for name, instead in self._names.items():
            body = body.replace(name.encode(), instead.encode())
        response["body"]["string"] = body
        return response

    def _clean_header(self, text: str) -> str:
        text = redact(text)
        for name, instead in self._names.items():
            text = text.replace(name, instead)
        return text


def _redact_body(body: bytes) -> bytes:
    """Return a body without secrets that a server repeats, such as the credential that it refuses."""
    try:
        return redact(body.decode()).encode()
    except UnicodeDecodeError:  # an archive, for example
        return body


@contextmanager
def record_cassette(
    path: Path,
    *,
    url: str,
    host: str,
    others: Mapping[str, str] | None = None,
    shorten: Callable[[bytes], bytes] = bytes,
) -> Iterator[Any]:
    """Record the requests to a server, and to further ones, into a cassette, and yield vcrpy's cassette.

    Args:
        path: The cassette; an existing file is replaced.
        url: The URL of the live server. Requests to other addresses, such as through a test's proxy, are not recorded.
        host: The host name of the server in the recording.
        others: The recorded host names of further servers, such as one for logs, by their URLs.
        shorten: Returns the part of a response body to record; the whole body by default.
    """
    import vcr  # type: ignore[import-untyped]

    scrubber = _Scrubber({url: host} | dict(others or {}), url, shorten)
    path.unlink(missing_ok=True)
    recorder = vcr.VCR(
        record_mode="all",
        before_record_request=scrubber.clean_request,
        before_record_response=scrubber.clean_response,
        decode_compressed_response=True,
    )
    with recorder.use_cassette(str(path)) as cassette:
        yield cassette
