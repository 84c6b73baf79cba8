"""Compilers, linkers and builders: what is particular to them; that logs are read whole is shown in test_logs.py."""

import pytest


@pytest.fixture
def found(read):
    """Return what all parsers find."""

    def finding(text):
        return [one for told in read(text) for one in told.failures]

    return finding


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("/home/runner/work/app/app/b/../src/a.c:1:20: error: 'y' undeclared", "error src/a.c:1:20"),
        ("src/a.cpp:3: fatal error: x.h: No such file or directory", "error src/a.cpp:3"),
        ("a.c:1:2: error: unused variable 'x' [-Werror=unused-variable]", "-Wunused-variable a.c:1:2"),
        ("a.c:1:2: error: unused variable 'x' [-Werror,-Wunused-variable]", "-Wunused-variable a.c:1:2"),
        ("C:\\x\\a.cc:1:2: error: no", "error C:/x/a.cc:1:2"),
        ("      src/a.c:1:10: fatal error: Python.h: No such file or directory", "error src/a.c:1:10"),
        ("#12 34.56 /src/a.c:1:2: error: no", "error /src/a.c:1:2"),
        ("##[error]src/a.c:1:2: error: no", "error src/a.c:1:2"),
        ("<command-line>:0:5: error: no", "error <command-line>:0:5"),
        ("/usr/include/c++/12/vector:3:4: error: no", "error /usr/include/c++/12/vector:3:4"),
        ("C:\\x\\a.cc(1,2): error: no", "error C:/x/a.cc:1:2"),
        ("a.cu(3): error: no", "error a.cu:3"),
        ("Tweak.xm:3:4: error: no", "error Tweak.xm:3:4"),
        ("clang: error: unknown argument: '-x'", "error clang: unknown argument: '-x'"),
    ],
)
def test_an_error_is_named_by_rule_and_place(line, name, found):
    (one,) = found(line + "\n")
    assert (one.tool, one.kind, one.name) == ("gcc/clang", "compile", name)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("C:\\x\\a.cpp(52): error C2143: syntax error: missing ';' before '{'", "C2143 C:/x/a.cpp:52"),
        ("a.h(5,7): error C2065: 'x': undeclared identifier [D:\\a\\app\\app\\x.vcxproj]", "C2065 a.h:5:7"),
        ("  2>D:\\a\\app\\app\\a.cpp(1): fatal error C1083: Cannot open include file: 'b.h'", "C1083 a.cpp:1"),
        ("LINK : fatal error LNK1104: cannot open file 'b.lib'", "LNK1104 LINK"),
        ("a.obj : error LNK2019: unresolved external symbol f referenced in function main", "LNK2019 a.obj"),
        ("cl : Command line error D8016 : '/O2' and '/RTC1' are incompatible", "D8016 cl"),
    ],
)
def test_microsofts_compiler_and_linker_tell_a_code(line, name, found):
    (one,) = found(line + "\n")
    assert (one.tool, one.kind, one.name) == ("msvc", "compile", name)


def test_a_project_of_microsofts_compiler_is_built_again(read):
    (tale,) = read("a.cpp(5,7): error C2065: 'x': undeclared identifier [D:\\a\\app\\app\\x.vcxproj]\n")
    assert tale.parser.rerun(tale.failures) == "msbuild x.vcxproj"


@pytest.mark.parametrize(
    "line",
    [
        "a.cc(12): error: Value of: x",
        "A.java:1: error: ';' expected",
        "<unknown>:0: error: no such module",
        "m.py:2: error: Incompatible types  [assignment]",
        "conftest.c:10:12: error: no such function",
        "_configtest.c:10:12: error: no such function",
        "/x/_configtest.c:5: undefined reference to `f'",
        "/x/CMakeFiles/CMakeScratch/TryCompile-a/src.c:3:1: error: no",
        "  undefined reference to 'gone' in main.o",
        "   Caught: undefined reference to 'gone' in main.o",
        "Found: undefined reference to `gone'",
        "  Twice, an error: multiple definition of 'main'",
        "cc1plus: all warnings being treated as errors",
        "collect2: error: ld returned 1 exit status",
        "clang: error: linker command failed with exit code 1 (use -v to see invocation)",
        "a.c:1:2: warning: no error: here",
        "make: *** [Makefile:12: test] Error 1",
    ],
)
def test_what_belongs_to_others_or_only_sums_up_is_no_error(line, found):
    assert not [one for one in found(line + "\n") if one.tool in {"gcc/clang", "ld", "make"}]


@pytest.mark.parametrize(
    ("said", "tool", "name"),
    [
        (
            "code should be clang-formatted [-Wclang-format-violations]",
            "clang-format",
            "-Wclang-format-violations a.c:1:2",
        ),
        ("use nullptr [modernize-use-nullptr,-warnings-as-errors]", "clang-tidy", "modernize-use-nullptr a.c:1:2"),
        ("Null pointer dereference: p [nullPointer]", "cppcheck", "nullPointer a.c:1:2"),
    ],
)
def test_a_linter_that_prints_alike_is_told_by_its_rule(said, tool, name, found):
    (one,) = found(f"a.c:1:2: error: {said}\n")
    assert (one.tool, one.kind, one.name) == (tool, "lint", name)


def test_an_error_in_a_header_is_told_once(found):
    assert len(found("a.h:1:2: error: no\nother output\na.h:1:2: error: no\n")) == 1


def test_a_compiler_that_was_killed_ran_out_of_memory(found):
    text = "g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n"
    assert [one.kind for one in found(text) if one.tool == "gcc/clang"] == ["out_of_memory"]


MOVED = "a.o: relocation R_X86_64_32S against `.data' can not be used when making a shared object; recompile with -fPIC"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "/usr/bin/ld: a.o: in function `main':\na.cc:(.text+0x5): undefined reference to `f(int)'",
            "undefined reference to f(int)",
        ),
        (
            "ld.lld: error: undefined symbol: f(int)\n>>> referenced by a.cc:5 (/x/a.cc:5)",
            "undefined reference to f(int)",
        ),
        ("error: lld-link: undefined symbol: f(int)\n    note: referenced by a.obj", "undefined reference to f(int)"),
        (
            'Undefined symbols for architecture arm64:\n  "_f", referenced from:\n      _main in a.o',
            "undefined reference to _f",
        ),
        (
            "/usr/bin/ld: b.o:(.data+0x0): multiple definition of `x'; a.o:(.data+0x0): first defined here",
            "multiple definition of x",
        ),
        *(
            (f"{origin} undefined reference to {quoted}", "undefined reference to f(int)")
            for quoted in ("`f(int)'", "'f(int)'")
            for origin in (
                "a.o(.text+0x12):",
                "/x/my project/lib.a(b.o):",
                "C:/x/bin/ld.exe:",
                "ld.gold: error:",
                "<artificial>:7:",
                "lib/libb.so.1:",
                "a.cc:function main(int, char**): error:",
                "  = note: /usr/bin/ld: (data+0x0):",
            )
        ),
        ("     undefined reference to `f'", "undefined reference to f"),
        ("duplicate symbol '_x' in:\n    a.o\n    b.o", "multiple definition of _x"),
        ("/usr/bin/ld: cannot find -lssl: No such file or directory", "cannot find -lssl"),
        ("ld: library 'ssl' not found", "cannot find -lssl"),
        ("ld: library not found for -lssl", "cannot find -lssl"),
        ("ld.lld: error: cannot open libssl.so: No such file or directory", "cannot find libssl.so"),
        ("ld.lld: error: lib/a.o is incompatible with elf_x86_64", "lib/a.o is incompatible with elf_x86_64"),
        (f"/usr/bin/ld: {MOVED}", MOVED),
    ],
)
def test_linkers_of_all_kinds_are_told_in_the_same_words(text, name, found):
    (one,) = found(text + "\n")
    assert (one.tool, one.kind, one.name) == ("ld", "compile", name)


def test_a_package_that_cmake_misses_is_its_caller_s_dependency(found):
    text = (
        "CMake Error at /usr/share/cmake-3.25/Modules/FindPackageHandleStandardArgs.cmake:230 (message):\n"
        "  Could NOT find CURL (missing: CURL_LIBRARY)\nCall Stack (most recent call first):\n"
        "  /usr/share/cmake-3.25/Modules/FindCURL.cmake:181 (find_package_handle_standard_args)\n"
        "  src/CMakeLists.txt:9 (find_package)\n\n\n-- Configuring incomplete, errors occurred!\n"
    )
    (one,) = found(text)
    assert (one.kind, one.name) == ("dependency", "find_package src/CMakeLists.txt:9")
    assert one.message == "Could NOT find CURL (missing: CURL_LIBRARY)"


def test_a_cmake_error_without_a_place_is_named_by_what_it_says(found):
    (one,) = found("CMake Error: CMAKE_C_COMPILER not set, after EnableLanguage\n")
    assert one.name == "error CMAKE_C_COMPILER not set, after EnableLanguage"


@pytest.mark.parametrize(
    ("line", "tool", "name"),
    [
        ("make[2]: *** No rule to make target 'a', needed by 'b'.  Stop.", "make", "No rule to make target a"),
        ("Makefile:3: *** missing separator.  Stop.", "make", "missing separator Makefile:3"),
        ("ninja: error: loading 'build.ninja': No such file", "ninja", "loading 'build.ninja': No such file"),
    ],
)
def test_a_builder_that_knows_no_way_says_so(line, tool, name, found):
    (one,) = found(line + "\n")
    assert (one.tool, one.name) == (tool, name)


def test_errors_of_fortran_have_their_places_above_them(read):
    """As GCC 12 printed them."""
    log = (
        "src/p.f90:4:18:\n\n    4 |   call nothere(y z)\n      |                  1\n"
        "Error: Syntax error in argument list at (1)\nsrc/p.f90:2:7:\n\n    2 |   x = y\n      |       1\n"
        "Warning: 'y' is used uninitialized [-Wuninitialized]\nsrc/p.f90:3:11:\n\n    3 |   integer :: u\n"
        "      |           1\nError: Unused variable 'u' declared at (1) [-Werror=unused-variable]\n"
        "f951: all warnings being treated as errors\nError: 1 of 2 steps failed\n"
    )
    (tale,) = read(log)
    assert [(one.tool, one.kind, one.name, one.file, one.line) for one in tale.failures] == [
        ("gfortran", "compile", "error src/p.f90:4:18", "src/p.f90", 4),
        ("gfortran", "compile", "-Wunused-variable src/p.f90:3:11", "src/p.f90", 3),
    ]
    assert tale.failures[0].message == "Syntax error in argument list at (1)"


def test_errors_of_ada_are_those_of_gcc(read):
    """As GNAT 12 printed them: a second line of an error has the same place."""
    log = 'p.adb:2:19: error: expected type "Standard.Integer"\np.adb:2:19: error: found a string type\n'
    (tale,) = read(f'{log}p.adb:4:04: error: "Y" is undefined\ngnatmake: "p.adb" compilation error\n')
    assert [one.name for one in tale.failures] == ["error p.adb:2:19", "error p.adb:4:04"]


def test_errors_of_ghc_have_their_messages_below_them(read):
    """As GHC 9.0 printed them; the codes are those of GHC 9.6: https://errors.haskell.org."""
    log = (
        "[1 of 1] Compiling Main             ( src/Cart.hs, dist/Cart.o )\n\nsrc/Cart.hs:5:7: error:\n"
        "    • Couldn't match expected type 'Int'\n    • In the expression: x\n  |\n5 | f x = x\n  |       ^\n\n"
        "src/Cart.hs:5:7: error:\n    • The same again\n\nsrc/Cart.hs:6:7: error: [GHC-88464]\n"
        "    Variable not in scope: gone\n\ncart> src/Cart.hs:(8,1)-(9,9): error: [-Wincomplete-patterns,"
        " -Werror=incomplete-patterns]\n    Pattern match(es) are non-exhaustive\n\n"
        "src/Cart.hs:12:1: warning: [-Wunused-imports]\n    The import is redundant\n\n"
        "src/Cart.hs:14:3: error: parse error on input 'where'\n"
    )
    (tale,) = read(log)
    assert [(one.tool, one.name, one.line, one.message) for one in tale.failures] == [
        ("ghc", "error src/Cart.hs:5:7", 5, "• Couldn't match expected type 'Int'\n• In the expression: x"),
        ("ghc", "GHC-88464 src/Cart.hs:6:7", 6, "Variable not in scope: gone"),
        ("ghc", "-Wincomplete-patterns src/Cart.hs:8:1", 8, "Pattern match(es) are non-exhaustive"),
        ("ghc", "error src/Cart.hs:14:3", 14, "parse error on input 'where'"),
    ]
