"""Runs ExUnit on the samples, and keeps what it prints with the truth of a formatter beside it.

Needs Debian's elixir.
"""

import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import CI, keep, project, run

TELLER = Path(__file__).with_name("truth.ex")
DIAGNOSTICS = """
{_, found} = Mix.Task.run("compile", ["--return-errors"])
for one <- found, one.severity == :error, do: IO.puts("AT\t#{Path.relative_to_cwd(one.file)}\t#{one.position}")
"""


def truth(result, folder):
    for row in result.read_text(encoding="utf-8").splitlines() if result.exists() else ():
        module, name, file, line = row.split("\t")
        place = {} if name == "setup_all" else {"file": file.removeprefix(f"{folder}/"), "line": int(line)}
        yield {"tool": "exunit", "kind": "test", "name": f'{module} "{name}"'} | place


def case(name, *options, sample="plain", env=CI):
    folder = project(f"exunit/{sample}", f"exunit-{sample}")
    shutil.rmtree(folder / "_build", ignore_errors=True)
    for library in folder.glob("lib") if sample == "plain" else folder.glob("apps/*/lib"):
        shutil.copy(TELLER, library)
    result = folder.parent / "exunit-truth.txt"
    result.unlink(missing_ok=True)
    env = env | {"STITHY_TRUTH": str(result), "LC_ALL": "C.UTF-8", "MIX_ENV": "test"}
    log = run(folder, "mix", "test", *options, env=env)
    keep(f"exunit/{name}", log, folder, "the events of ExUnit, same run", truth(result, folder))


def broken(name, *left_out):
    folder = project("exunit/broken", "exunit-broken")
    shutil.rmtree(folder / "_build", ignore_errors=True)
    for path in left_out:
        (folder / path).unlink()
    env = CI | {"LC_ALL": "C.UTF-8", "MIX_ENV": "test"}
    log = run(folder, "mix", "test", env=env)
    said = run(folder, "mix", "run", "--no-compile", "--no-start", "-e", DIAGNOSTICS, env=env)
    failures = [
        {"tool": "elixir", "kind": "compile", "name": f"CompileError {file}:{line}", "file": file, "line": int(line)}
        for file, line in re.findall(r"^AT\t(\S+)\t(\d+)$", said, re.MULTILINE)
    ]
    keep(f"exunit/{name}", log, folder, "the diagnostics of Elixir's compiler, a second run", failures)


if __name__ == "__main__":
    case("plain", "--seed", "0")
    case("seed", "--seed", "7", "--exclude", "left_out")
    case("trace", "--trace", "--seed", "3")
    case("colour", "--color", "--seed", "4")
    case("no-colour", "--no-color", "--slowest", "3", "--seed", "5")
    case("max-failures", "--max-failures", "3", "--seed", "0")
    case("one", "test/account_test.exs:9")
    case("fine", "test/fine_test.exs")
    case("nothing", "--only", "nothing")
    case("umbrella", "--seed", "0", sample="umbrella")
    broken("broken")
