"""What real servers answered in exchanges outside of the project, read in place where they are (shared/recordings)."""

import json
import re
from functools import cache
from pathlib import Path

import yaml

RECORDINGS = Path(__file__).parents[3] / "shared" / "recordings"
SERVERS = ["gitea-1.25", "gitea-1.26", "gitea-1.27", "forgejo-14"]
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def answers(server):
    """Give the path below a repository, and the JSON, of each success."""
    found = []
    for path in sorted((RECORDINGS / server).glob("*.yaml")):
        for row in yaml.load(path.read_text(encoding="utf-8"), LOADER)["interactions"]:
            place = re.search(r"/api/v1/repos/[^/]+/[^/?]+([^?]*)", row["request"]["uri"])
            if place and row["response"]["status"]["code"] in {200, 201}:
                try:
                    found.append((place[1], json.loads(row["response"]["body"]["string"] or "null")))
                except ValueError:  # a diff or a log
                    continue
    return found


def rows(server, pattern):
    """Give each thing that was read, or made, where a pattern matches the path."""
    for place, body in answers(server):
        if re.fullmatch(pattern, place):
            yield from body if isinstance(body, list) else [body] if body else []
