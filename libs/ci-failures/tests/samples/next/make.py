"""Builds the sample with Next.js by both of its bundlers, with the errors of the sample. Needs npm and Node 20."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, keep, project, run

SYNTAX, CHECKED = "Parsing ecmascript source code failed", "Ecmascript file had an error"
HOOK = "You're importing a {} that {} `useState`{}"
METADATA = 'You are attempting to export "metadata" from a component marked with "use client", which is disallowed'
GONE = (
    ("cannot resolve '../../components/Gone'", "app/d/page.js", 4, 1),
    ("cannot resolve './gone.module.css'", "app/c/page.js", 2, 1),
    ("cannot resolve './nowhere'", "app/page.js", 1, 1),
    ("cannot resolve 'no-such-package'", "app/page.js", 2, 1),
    ("Export absent doesn't exist in target module", "app/b/page.js", 1, 1),
    ("Parsing CSS source code failed", "app/d/d.css", 2, 6),
)
"""What both versions of Turbopack report in the same words: the name of the error, its file, line and column."""
WRONG = (
    ("app/e/page.js", 3, 7, SYNTAX, "Unexpected token `=`"),
    ("app/a/page.js", 1, 51, SYNTAX, "Unexpected token"),
    ("app/d/page.js", 5, 14, CHECKED, METADATA),
    ("app/c/page.js", 1, 10, CHECKED, HOOK.format("module", "depends on", " into a React Server Component module")),
)
"""A file, the place in it, and the first sentence that Turbopack 15 and 16 print of the error."""
CHUNK = "Code generation for chunk item errored", "app/d/page.js", None, None
WEBPACK = {"15": HOOK.format("component", "needs", ""), "16": WRONG[-1][-1]}
"""What webpack, which tells the line at which an error ends, prints of a hook on a server."""


def turbopack(version):
    """Return what Turbopack finds in the sample; 15 finds `node:fs` in code for browsers, too."""
    rows = [(row[3 + (version == "16")], *row[:3]) for row in WRONG]
    return [*GONE, *rows, *((CHUNK,) if version == "15" else ())]


def webpack(version):
    """Return what webpack finds: of modules that are not found only the first, and no columns."""
    rows = [(word, file, line, None) for file, line, _, _, word in WRONG[:-1]]
    return [*rows, (WEBPACK[version], "app/c/page.js", 1, None), (GONE[2][0], "app/page.js", None, None)]


def named(tool, row):
    name, file, line, column = row
    where = ":".join(str(part) for part in (file, line, column) if part)
    found = {"tool": tool, "kind": "compile", "name": f"{name} {where}", "file": file}
    return found | ({"line": line} if line else {})


if __name__ == "__main__":
    for version in ("15", "16"):
        folder = project("next", f"next{version}", f"next@{version}", "react@19", "react-dom@19")
        for tool, found in {"turbopack": turbopack, "webpack": webpack}.items():
            words = [f"--{tool}"] if (version, tool) != ("15", "webpack") else []
            env = CI | {"NEXT_TELEMETRY_DISABLED": "1"}
            log = run(folder, "node", "node_modules/next/dist/bin/next", "build", *words, env=env)
            rows = [named(tool, row) for row in found(version)]
            keep(f"next/{version}-{tool}", log, folder, f"the errors of the sample, of Next.js {version}", rows)
