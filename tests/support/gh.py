"""A program called `gh`, which does what GitHub's own does with `gh api`, and asks a server on loopback.

`STITHY_GH` names the server of each host, as JSON. What the real one would read otherwise than as it stands is refused.
"""

import json
import os
import sys
import urllib.request
from argparse import ArgumentParser

HOME = "github.com"


def main() -> None:
    """Send the request, and write the response."""
    parser = ArgumentParser(prog="gh", allow_abbrev=False)
    parser.add_argument("command", choices=["api"])
    parser.add_argument("--hostname", default=HOME)
    parser.add_argument("-X", "--method", default="POST")
    parser.add_argument("-f", "--raw-field", dest="fields", action="append", default=[])
    parser.add_argument("endpoint")
    given = parser.parse_args()
    server, token = json.loads(os.environ["STITHY_GH"])[given.hostname]
    fields = dict(field.split("=", 1) for field in given.fields)
    if given.endpoint == "graphql":
        variables = {name: value for name, value in fields.items() if name != "query"}
        url, body = f"{server}/api/graphql", {"query": fields["query"], "variables": variables}
    else:
        url, body = f"{server}/api/v3/{given.endpoint}", fields
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    asked = urllib.request.Request(url, json.dumps(body).encode(), headers, method=given.method)
    with urllib.request.urlopen(asked) as answer:
        sys.stdout.buffer.write(answer.read())


if __name__ == "__main__":
    main()
