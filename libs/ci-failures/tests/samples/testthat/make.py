"""Runs testthat on the sample, and keeps what it prints with the truth of its table of results, a second run.

Needs Debian's r-cran-testthat.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import CI, keep, project, run

TABLE = """
found <- as.data.frame(testthat::test_dir('tests/testthat', reporter = 'silent', stop_on_failure = FALSE))
found <- found[found$failed > 0 | found$error, ]
cat('', paste('AT', found$file, found$test, sep = '\\t'), '', sep = '\\n')
"""
OUTSIDE = "(code run outside of `test_that()`)"


def truth(folder):
    for row in run(folder, "Rscript", "-e", TABLE, env=CI | {"LC_ALL": "C.UTF-8"}).splitlines():
        if row.startswith("AT\t"):
            _, file, name = row.split("\t")
            title = OUTSIDE if name == "NA" else name
            yield {"tool": "testthat", "kind": "test", "name": f"{file}: {title}"}


def case(name, reporter):
    folder = project("testthat", "testthat")
    script = f"testthat::test_dir('tests/testthat', reporter={json.dumps(reporter)}, stop_on_failure = TRUE)"
    log = run(folder, "Rscript", "-e", script, env=CI | {"LC_ALL": "C.UTF-8"})
    keep(f"testthat/{name}", log, folder, "testthat's table of results, a second run", truth(folder))


if __name__ == "__main__":
    for reporter in ("check", "progress", "summary"):
        case(reporter, reporter)
