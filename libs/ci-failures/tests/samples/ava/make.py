# ruff: noqa: RUF001 -- the signs are those that the tool prints
"""Runs AVA on the sample, with the truth of its TAP, a second run. Needs npm and Node 20."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, COLOUR, keep, node, project, run

BAD = re.compile(r"^not ok \d+ - (?:\[unexpected pass\] )?(.*?)(?: %ava-dur=.*)?$", re.MULTILINE)
ENDED = re.compile(r"^(\S+) exited with a non-zero exit code: \d+$")


def truth(told):
    for name in BAD.findall(told):
        if ended := ENDED.match(name):
            yield {"tool": "ava", "kind": "test", "name": ended[1], "file": ended[1]}
        elif " › " in name and not name.endswith(" # TODO"):
            yield {"tool": "ava", "kind": "test", "name": name}


def case(name, version, *options, env=CI, width=0):
    folder = project("ava", f"ava{version}", f"ava@{version}")
    command = (node(24) if version > 6 else "node", "node_modules/.bin/ava")
    log = run(folder, *command, *options, env=env, width=width)
    told = run(folder, *command, "--tap", *[one for one in options if one != "--verbose"], env=CI)
    keep(f"ava/{name}", log, folder, f"the TAP of AVA {version}, a second run", truth(told))


if __name__ == "__main__":
    for version in (4, 5, 6):
        case(f"{version}-ci", version)
    case("6-colour", 6, "--color", env=CI | COLOUR)
    case("6-serial", 6, "--serial", "--timeout=20s")
    case("5-terminal", 5, env={}, width=60)
    case("6-fail-fast", 6, "--fail-fast", "--serial", "test/auth.mjs", "test/hooks.mjs")
    case("6-passes", 6, "--match=*others*")
