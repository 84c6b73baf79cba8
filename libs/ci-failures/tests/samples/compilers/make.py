"""Runs compilers, linkers, CMake, make and ninja on the sample, and keeps what they print with its truth.

It is taken from a second run: of GCC in JSON, of Clang in the format of vi, of the linker from the symbols that a
program is left with when it may miss some, of CMake in SARIF (CMake 4) and from its trace. Needs Debian's g++, g++-11,
clang, clang-19, lld, binutils, cmake, ninja-build and make.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from native import CLEAN, cmake, keep, project, run

FLAGS = ("-Wall", "-Wextra")
STRICT = ("-Werror", "-Werror=return-type")
VI = re.compile(r"(.+) \+(\d+):(\d+): (?:fatal )?error: (.*)")


def row(tool, rule, file, line, column):
    place = {"file": file.replace("../", ""), "line": line}
    where = f"{place['file']}:{line}:{column}" if column else f"{place['file']}:{line}"
    named = {"tool": tool, "kind": "compile", "name": f"{rule} {where}"}
    return named if file.startswith("/usr/") else named | place  # a library's: its place is where it is required


def program(compiler, source):
    """Give the compiler for the language of a source, of the same family and version."""
    if not source.endswith(".c"):
        return compiler
    return compiler.replace("clang++", "clang") if "clang" in compiler else compiler.replace("g++", "gcc")


def relative(path, folder):
    """Give a path as CI has it: in the repository relative, elsewhere as it is."""
    whole = (folder / path).resolve() if not path.startswith("<") else path
    return str(whole.relative_to(folder)) if Path(whole).is_relative_to(folder) else str(whole)


def gcc_told(folder, compiler, sources, flags, *, columns=True):
    """Compile again, and read GCC's JSON."""
    for source in sources:
        more = STRICT if "strict" in source and "-Werror" not in flags else ()
        out = run(
            folder,
            program(compiler, source),
            *flags,
            *more,
            "-fdiagnostics-format=json",
            "-c",
            source,
            "-o",
            "/dev/null",
        )
        told = json.loads(out.splitlines()[0])
        for one in [*told, *(child for parent in told for child in parent["children"])]:
            if "error" in one["kind"]:
                caret = one["locations"][0]["caret"]
                option = one.get("option", "")
                rule = option.replace("-Werror=", "-W") if option.startswith("-W") else "error"
                file = relative(caret["file"], folder)
                yield row("gcc/clang", rule, file, caret["line"], caret["display-column"] if columns else None)


def clang_told(folder, compiler, sources, flags):
    """Compile again, and read the format of vi."""
    for source in sources:
        more = STRICT if "strict" in source and "-Werror" not in flags else ()
        form = ("-fdiagnostics-format=vi", "-fno-caret-diagnostics")
        out = run(folder, program(compiler, source), *flags, *more, *form, "-c", source, "-o", "/dev/null")
        for found in filter(None, map(VI.match, out.splitlines())):
            option = re.search(r" \[.*?(-W[^\],]*)\]$", found[4])
            rule = option[1] if option else "error"
            yield row("gcc/clang", rule, relative(found[1], folder), int(found[2]), found[3])


def left(folder, sources):
    """Give the symbols that no file and no library has, and those that two files have."""
    known = {"_GLOBAL_OFFSET_TABLE_"}
    for library in ("libstdc++.so.6", "libc.so.6", "libgcc_s.so.1"):
        path = run(folder, "g++", f"-print-file-name={library}").strip()
        known |= {
            line.split(" ", 2)[2].split("@")[0]
            for line in run(folder, "nm", "-DC", "--defined-only", path).splitlines()
        }
    subprocess.run(
        ["g++", "-r", *sources, "-Wl,-z,muldefs", "-o", "lax.o"], cwd=folder, env=CLEAN, check=True, timeout=120
    )
    for line in run(folder, "nm", "-C", "-u", "lax.o").splitlines():
        kind, _, name = line.strip().partition(" ")
        if kind == "U" and name not in known:
            yield {"tool": "ld", "kind": "compile", "name": f"undefined reference to {name}"}
    seen = set()
    for source in sources:
        subprocess.run(["g++", "-c", source, "-o", "one.o"], cwd=folder, env=CLEAN, check=True, timeout=120)
        for line in run(folder, "nm", "-C", "--defined-only", "one.o").splitlines():
            _, kind, name = line.split(" ", 2)
            if name in seen and kind in "TDBR":
                yield {"tool": "ld", "kind": "compile", "name": f"multiple definition of {name}"}
            seen.add(name)


def compilers(folder):
    sources = sorted(str(path.relative_to(folder)) for path in (folder / "src").glob("*.c*") if path.suffix != ".hpp")
    sources = [source for source in sources if Path(source).stem not in {"linked", "twice", "fine", "rest"}]
    plain = [source for source in sources if "strict" not in source]
    styles = {
        "gcc": ("g++", (), {}), "gcc-colour": ("g++", ("-fdiagnostics-color=always",), {}),
        "gcc-ascii": ("g++", (), {"LC_ALL": "C"}), "gcc-11": ("g++-11", (), {}),
        "gcc-no-caret": ("g++", ("-fno-diagnostics-show-caret",), {}),
        "gcc-no-column": ("g++", ("-fno-show-column",), {}), "gcc-werror": ("g++", ("-Werror",), {}),
        "clang": ("clang++", (), {}), "clang-19": ("clang++-19", (), {}),
        "clang-colour": ("clang++", ("-fcolor-diagnostics",), {}), "clang-werror": ("clang++", ("-Werror",), {}),
    }  # fmt: skip
    for case, (compiler, more, env) in styles.items():
        flags = (*FLAGS, *more)
        files = plain if "werror" in case else sources
        logs = []
        for source in files:
            strict = STRICT if "strict" in source else ()
            logs.append(
                run(folder, program(compiler, source), *flags, *strict, "-c", source, "-o", "/dev/null", env=env)
            )
        if compiler.startswith("clang"):
            truth = clang_told(folder, compiler, files, (*FLAGS, *(one for one in more if one == "-Werror")))
        else:
            truth = gcc_told(folder, compiler, files, flags, columns="no-column" not in case)
        keep(f"compilers/{case}", "".join(logs), folder, "a second run, in JSON or for vi", list(truth))
    return plain


def builds(folder):
    """Build by CMake and make or ninja, to the end and up to the first error, and by a Makefile alone."""
    sources = [
        "src/plain.c",
        "src/types.cpp",
        "src/templates.cpp",
        "src/strict.cpp",
        "src/header.cpp",
        "src/odd name.c",
    ]
    cases = {
        "make": ("Unix Makefiles", ("-k",)),
        "ninja": ("Ninja", ("-k0",)),
        "make-j": ("Unix Makefiles", ("-k", "-j3")),
    }
    for case, (generator, more) in cases.items():
        build = folder / f"build-{case}"
        shutil.rmtree(build, ignore_errors=True)
        log = run(folder, "cmake", "-G", generator, "-B", build, "-S", ".")
        log += run(folder, "cmake", "--build", build, "--", *more)
        truth = list(gcc_told(folder, "g++", sources, FLAGS))
        keep(f"compilers/cmake-{case}", log, folder, "a second run, in JSON", truth)
    log = run(folder, "make", "-k", "all", "nothing-makes")
    flags = ("-Wall", "-Werror")
    truth = [*gcc_told(folder, "g++", ["src/plain.c", "src/types.cpp"], flags), *left(folder, LINKED)]
    wanted = run(folder, "make", "-pn", "nothing-makes")
    target = re.search(r"^nothing-makes: (\S+)$", wanted, re.MULTILINE)[1]
    truth.append({"tool": "make", "kind": "compile", "name": f"No rule to make target {target}"})
    keep("compilers/makefile", log, folder, "a second run in JSON, the symbols left, make's own database", truth)
    fine = run(folder, "cmake", "-B", "build-fine", "-S", ".", "-DFINE=ON") + run(
        folder, "cmake", "--build", "build-fine"
    )
    keep("compilers/fine", fine, folder, "the exit code 0", [])


LINKED = ("src/linked.cpp", "src/twice.cpp")


def linkers(folder):
    undefined, twice = list(left(folder, LINKED[:1])), [one for one in left(folder, LINKED) if "mult" in one["name"]]
    assert undefined
    for linker in ("bfd", "gold", "lld"):
        for case, sources, truth in (("link", LINKED[:1], undefined), ("twice", (*LINKED, "src/rest.cpp"), twice)):
            log = run(folder, "clang++", "-g", *sources, f"-fuse-ld={linker}", "-o", "linked")
            keep(f"compilers/{case}-{linker}", log, folder, "the symbols that a lax link leaves", truth)
        lost = run(
            folder, "clang++", "src/twice.cpp", f"-fuse-ld={linker}", "-shared", "-fPIC", "-lnosuchlib", "-o", "x"
        )
        assert "nosuchlib" not in run(folder, "ldconfig", "-p")
        row = {"tool": "ld", "kind": "compile", "name": "cannot find -lnosuchlib"}
        keep(f"compilers/library-{linker}", lost, folder, "the libraries that ldconfig lists", [row])
    log = run(folder, "g++", "-O2", LINKED[0], "-o", "linked")
    keep("compilers/link-without-debug", log, folder, "the symbols that a lax link leaves", undefined)


def sarif(folder, newer, *options):
    """Configure by a CMake that writes SARIF, and give the places of its errors."""
    shutil.rmtree(folder / "b", ignore_errors=True)
    run(folder, newer, "-S", "broken", "-B", "b", f"--sarif-output={folder / 'cmake.sarif'}", *options)
    for result in json.loads((folder / "cmake.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]:
        if result["level"] == "error":
            place = result["locations"][0]["physicalLocation"]
            file = Path(place["artifactLocation"]["uri"])
            yield file, place["region"]["startLine"]


def configured(folder):
    """Configure what CMake refuses; the command of an error is what stands in that line."""
    newer = cmake("4-1") / "cmake"
    for case, program in {
        "cmake-errors": "cmake",
        "cmake-errors-4": newer,
        "cmake-errors-3-18": cmake("3-18") / "cmake",
    }.items():
        rows = [needed(folder, *place) for place in sarif(folder, newer)]
        shutil.rmtree(folder / "b", ignore_errors=True)
        log = run(folder / "broken", program, "-S", ".", "-B", "../b")
        keep(f"compilers/{case}", log, folder / "broken", "CMake 4's SARIF", rows)
    for package in ("CURL", "NoSuchThing"):
        rows = [needed(folder, *place) for place in sarif(folder, newer, f"-DNEEDS={package}")]
        shutil.rmtree(folder / "b", ignore_errors=True)
        log = run(folder / "broken", "cmake", "-S", ".", "-B", "../b", f"-DNEEDS={package}")
        keep(f"compilers/cmake-needs-{package.lower()}", log, folder / "broken", "CMake 4's SARIF and its trace", rows)


def needed(folder, file, line):
    """Give an error of CMake; where a module of CMake's own raised it, the last line of ours that ran before."""
    broken = folder / "broken"
    if not file.is_relative_to(broken):
        shutil.rmtree(folder / "b", ignore_errors=True)
        trace = ("--trace", "--trace-format=json-v1", f"--trace-redirect={folder / 'trace.json'}")
        run(folder, "cmake", "-S", "broken", "-B", "b", "-DNEEDS=CURL", *trace)
        lines = [json.loads(one) for one in (folder / "trace.json").read_text(encoding="utf-8").splitlines()[1:]]
        last = [one for one in lines if Path(one["file"]).is_relative_to(broken)][-1]
        file, line = Path(last["file"]), last["line"]
    command = file.read_text(encoding="utf-8").splitlines()[line - 1].split("(")[0].strip()
    kind = "dependency" if command == "find_package" else "compile"
    return row("cmake", command, str(file.relative_to(broken)), line, None) | {"kind": kind}


def main():
    folder = project("compilers")
    linkers(folder)
    compilers(folder)
    builds(folder)
    configured(folder)


if __name__ == "__main__":
    main()
