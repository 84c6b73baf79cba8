"""Runs busted and luacheck on the sample, with the truth of a second run each: a JUnit report and the plain form.

Needs Debian's lua-busted and lua-check.
"""

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, keep, project, run

FINDING = re.compile(r"^([^:\n]+):(\d+):(\d+): \((\w+)\)", re.MULTILINE)


def truth(folder):
    run(folder, "busted", "-o", "junit", "-Xoutput", "report.xml", env=CI)
    for one in ET.parse(folder / "report.xml").iter("testcase"):
        if one.find("failure") is not None or one.find("error") is not None:
            file = one.get("classname").partition(":")[0]
            yield {"tool": "busted", "kind": "test", "name": f"{file} > {one.get('name')}"}


def findings(folder):
    told = run(folder, "luacheck", "--codes", "--formatter", "plain", "lua", env=CI)
    for file, line, column, rule in FINDING.findall(told):
        name = f"{rule} {file}:{line}:{column}"
        yield {"tool": "luacheck", "kind": "lint", "name": name, "file": file, "line": int(line)}


def case(name, *options, env=CI, width=0):
    folder = project("busted", "busted")
    log = run(folder, "busted", *options, env=env, width=width)
    keep(f"busted/{name}", log, folder, "the JUnit report of busted 2.1, a second run", truth(folder))


if __name__ == "__main__":
    for output in ("utfTerminal", "plainTerminal", "gtest"):
        case(output, "-o", output)
    case("colour", "-o", "gtest", "--Xoutput", "--color")
    folder = project("busted", "busted")
    log = run(folder, "luacheck", "--codes", "lua", env=CI, width=0)
    keep("busted/luacheck", log, folder, "luacheck --formatter plain, a second run", findings(folder))
