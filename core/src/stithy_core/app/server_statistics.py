"""The server's own document, `stithy://statistics`: calls of tools, requests to forges, jobs and services."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stithy_core.app.assembly import App
    from stithy_core.forges.references import ConfiguredForge
    from stithy_core.server.contents import UpstreamStatistics


def write_statistics(app: App) -> str:
    """Return the statistics as JSON; times in milliseconds."""
    used = {row.forge: row for row in app.connections.list_statistics()}
    return json.dumps(
        {
            **app.executor.statistics.as_dict(),
            "forges": {
                alias: _describe_forge(forge, used.get(alias)) for alias, forge in app.forges.configured.items()
            },
            "jobs": app.jobs.count_running(),
            "failed_services": [service.service.name for service in app.services if service.waits],
        }
    )


def _describe_forge(forge: ConfiguredForge, used: UpstreamStatistics | None) -> dict[str, Any]:
    return {
        "kind": forge.config.kind,
        "url": forge.config.url,
        "requests": used.requests if used else 0,
        "retries": used.retries if used else 0,
        "withheld": used.withheld if used else 0,
        "left": dict(used.left) if used else {},
    }
