"""Recording real exchanges with vcrpy, for `playback`; nothing that tells the server or a token is kept."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from stithy_testing.cassettes import CARRIED

UNRECORDED = "X-Unrecorded"
"""A header for requests that are to stay out of the recording, such as those that prepare the server."""


class _Keeping:
    """What of an exchange is kept.

    Args:
        servers: Where servers are, each with its name in the recording.
        url: Where the first of them is.
        shorten: Gives of an answer's body what to keep of it.
    """

    def __init__(self, servers: Mapping[str, str], url: str, shorten: Callable[[bytes], bytes]) -> None:
        self._shown = {at: f"https://{name}" for at, name in servers.items()}
        hosts = {urlsplit(at).netloc: name for at, name in servers.items()}
        self._names = self._shown | hosts | {urlsplit(url).hostname or url: servers[url]}
        self._shorten = shorten

    def request(self, request: Any) -> Any:
        """Give a request without what tells the server or a token; None for one that is not recorded."""
        if UNRECORDED in request.headers or not request.uri.startswith((*self._shown, *self._shown.values())):
            return None
        request = copy(request)
        for at, instead in self._shown.items():
            request.uri = re.sub(rf"^{re.escape(at)}", instead, request.uri)
        request.headers = {name: value for name, value in request.headers.items() if name.lower() == "content-type"}
        return request

    def response(self, response: dict[str, Any]) -> dict[str, Any]:
        """Give an answer likewise."""
        kept = {name: values for name, values in response["headers"].items() if name.lower() in CARRIED}
        response["headers"] = {name: [self._renamed(value) for value in values] for name, values in kept.items()}
        body = self._shorten(response["body"]["string"])
        for name, instead in self._names.items():
            body = body.replace(name.encode(), instead.encode())
        response["body"]["string"] = body
        return response

    def _renamed(self, text: str) -> str:
        for name, instead in self._names.items():
            text = text.replace(name, instead)
        return text


@contextmanager
def recording(
    path: Path,
    *,
    url: str,
    host: str,
    others: Mapping[str, str] | None = None,
    shorten: Callable[[bytes], bytes] = bytes,
) -> Iterator[Any]:
    """Record into a cassette what is sent to one server, and to those that it leads to; give vcrpy's own cassette.

    Args:
        path: The cassette; one that is there is replaced.
        url: Where the live server is. What goes elsewhere, such as through a proxy of a test, is left out.
        host: The name that the server has in the recording.
        others: Where further servers are, such as one for logs, each with its name in the recording.
        shorten: Gives of an answer's body what to keep of it, where nobody reads the rest.
    """
    import vcr  # type: ignore[import-untyped]

    keeping = _Keeping({url: host} | dict(others or {}), url, shorten)
    path.unlink(missing_ok=True)
    recorder = vcr.VCR(
        record_mode="all",
        before_record_request=keeping.request,
        before_record_response=keeping.response,
        decode_compressed_response=True,
    )
    with recorder.use_cassette(str(path)) as cassette:
        yield cassette
