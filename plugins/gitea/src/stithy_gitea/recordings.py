"""For those who record a server: what to keep of its description of itself, which has 800 kB."""

import json
from typing import Any

READ = "/pulls/"


def shortened(body: bytes) -> bytes:
    """Keep of the description of an API (`/swagger.v1.json`) the routes of pull requests; of others everything.

    Args:
        body: Any answer's.
    """
    if b'"swagger":' not in body:
        return body
    paths = json.loads(body)["paths"]
    kept: dict[str, dict[str, Any]] = {
        route: {method: {} for method in methods} for route, methods in paths.items() if READ in route
    }
    return json.dumps({"paths": kept}).encode()
