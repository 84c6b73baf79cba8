"""Runs EUnit and Common Test of the sample under rebar3, with the truth of their reports for Surefire.

Needs Debian's rebar3, erlang-eunit and erlang-common-test.
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from pypi import CI, keep, project, run


def failed(pattern, folder):
    for report in folder.glob(pattern):
        for one in ET.parse(report).iter("testcase"):
            if one.find("failure") is not None or one.find("error") is not None:
                yield one


def of_eunit(folder):
    """Give the tests that failed; a set-up that failed is in no output."""
    for one in failed("report/*.xml", folder):
        place, _, title = one.get("name").partition(" ")
        if not place.startswith("fixture"):
            yield {"tool": "eunit", "kind": "test", "name": f"{place.partition(':')[0]}:{title}"}


def of_cases(folder):
    for one in failed("_build/test/logs/*/report.xml", folder):
        names = [Path(one.get("file")).stem, one.get("group"), one.get("name")]
        yield {"tool": "common_test", "kind": "test", "name": ":".join(filter(None, names))}


if __name__ == "__main__":
    folder = project("erlang", "erlang")
    (folder / "report").mkdir()
    log = run(folder, "rebar3", "eunit", env=CI)
    keep("eunit/plain", log, folder, "EUnit's report for Surefire of the same run, Erlang 25", of_eunit(folder))
    truth = list(of_eunit(folder))
    log = run(folder, "rebar3", "ct", env=CI)
    keep("common_test/rebar3", log, folder, "the report for Surefire of the same run, Erlang 25", of_cases(folder))
    (folder / "rebar.config").write_text("{erl_opts, [debug_info]}.\n", encoding="utf-8")
    for case, *options in (("rebar3",), ("verbose", "-v")):
        log = run(folder, "rebar3", "eunit", *options, env=CI)
        keep(f"eunit/{case}", log, folder, "EUnit's report for Surefire, Erlang 25, a first run", truth)
