"""Recording real exchanges with vcrpy, for `playback`; nothing that tells the server or a token is kept."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from stithy_core.testing.playback import CARRIED

UNRECORDED = "X-Unrecorded"
"""A header for requests that are to stay out of the recording, such as those that prepare the server."""


@contextmanager
def recording(path: Path, *, url: str, host: str) -> Iterator[None]:
    """Record into a cassette what is sent to one server.

    Args:
        path: The cassette; one that is there is replaced.
        url: Where the live server is. What goes elsewhere, such as through a proxy of a test, is left out.
        host: The name that the server has in the recording.
    """
    import vcr  # type: ignore[import-untyped]

    shown = f"https://{host}"
    ours = re.compile(rf"^{re.escape(url)}")
    names = {url: shown, urlsplit(url).netloc: host, urlsplit(url).hostname or url: host}

    def keep_request(request: Any) -> Any:
        if UNRECORDED in request.headers or not request.uri.startswith((url, shown)):
            return None
        request = copy(request)
        request.uri = ours.sub(shown, request.uri)
        request.headers = {name: value for name, value in request.headers.items() if name.lower() == "content-type"}
        return request

    def keep_response(response: dict[str, Any]) -> dict[str, Any]:
        response["headers"] = {name: value for name, value in response["headers"].items() if name.lower() in CARRIED}
        for name, instead in names.items():
            body = response["body"]["string"]
            response["body"]["string"] = body.replace(name.encode(), instead.encode())
        return response

    path.unlink(missing_ok=True)
    recorder = vcr.VCR(
        record_mode="all",
        before_record_request=keep_request,
        before_record_response=keep_response,
        decode_compressed_response=True,
    )
    with recorder.use_cassette(str(path)):
        yield
