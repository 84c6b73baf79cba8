"""Code owners, line by line, as GitHub and as Gitea read them."""

import random
import subprocess
from itertools import count

import pytest
from git_forge import git

from stithy_pulls.diffs.path_patterns import parse_glob
from stithy_pulls.owners.code_owners import SECONDS, parse_expression_rules, parse_glob_rules, resolve_ownership
from stithy_pulls.owners.owner_sections import parse_section_rules


@pytest.mark.parametrize(
    ("pattern", "fits", "not_"),
    [
        ("*", ["a", "a/b.c"], []),
        ("*.js", ["a.js", "b/c.js"], ["a.jsx"]),
        ("/build/", ["build/a", "build/b/c"], ["build", "x/build/a"]),
        ("docs/*", ["docs/a.md"], ["docs/b/c.md", "x/docs/a.md"]),
        ("/*", ["a"], ["a/b"]),
        ("apps/", ["apps/a", "x/apps/b"], ["apps"]),
        ("**/logs", ["logs/a", "x/y/logs/b"], ["logsx/a"]),
        ("foo/**/", ["foo/bar", "foo/bar/baz"], ["foo", "xfoo/bar"]),
        ("foo/**", ["foo/bar", "foo/bar/baz"], ["foo"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b/c"], ["a/bc"]),
        ("app/[id]/page.ts", ["app/[id]/page.ts"], ["app/i/page.ts"]),
        (r"a\ b.txt", ["a b.txt"], ["a"]),
        (r"a\*b", ["a*b"], ["axb"]),
        ("Makefile", ["Makefile", "x/Makefile"], ["makefile"]),
        ("a?c", ["abc"], ["ac", "a/c"]),
    ],
)
def test_a_pattern_is_for_these_paths(pattern, fits, not_):
    (rule,) = parse_glob_rules("CODEOWNERS", f"{pattern} @ada").rules
    assert ([rule.fit.matches(path) for path in fits], [rule.fit.matches(path) for path in not_]) == (
        [True] * len(fits),
        [False] * len(not_),
    )


@pytest.mark.parametrize("seed", range(4))
def test_patterns_are_for_what_git_ignores_by_them(tmp_path, seed):
    """Where both have the same rules: `folder/*` and `folder/**/`, which GitHub reads otherwise, are left out."""
    choice = random.Random(seed)
    git(tmp_path, "init", "-q", ".")
    (tmp_path / ".git/info").mkdir()
    paths = sorted(
        {"/".join(choice.choices(["a", "b", "ab", "a.c", "b.c"], k=choice.randint(1, 4))) for _ in range(40)}
    )
    for _ in range(40):
        parts = choice.choices(["a", "b", "*", "**", "?b", "*.c", "a*"], k=choice.randint(1, 3))
        pattern = choice.choice(["", "/"]) + "/".join(parts) + choice.choice(["", "", "/"])
        if parts[-1] == "*" or "**/**" in pattern or pattern.endswith("/**/"):
            continue
        (tmp_path / ".git/info/exclude").write_text(f"{pattern}\n")
        command = ["git", "-C", tmp_path, "check-ignore", "--no-index", "--stdin", "-z"]
        ran = subprocess.run(command, input="\0".join(paths), capture_output=True, text=True)
        wanted = set(ran.stdout.split("\0")) - {""}
        assert (pattern, {path for path in paths if parse_glob(pattern).matches(path)}) == (pattern, wanted)


def test_the_last_line_that_fits_counts_and_may_take_ownership_away():
    owners = parse_glob_rules("CODEOWNERS", "* @ada\n*.py @bob @smith/team\n/gen/\n")
    assert [dict(owners.find_owners(path)) for path in ("a", "a.py", "gen/a.py")] == [
        {"ada": 1},
        {"bob": 2, "smith/team": 2},
        {},
    ]


def test_a_line_that_is_wrong_costs_itself_alone():
    owners = parse_glob_rules("CODEOWNERS", "# who\n!a @ada\n* @ada  # all\n*.py nobody\n\\#x @ada\n")
    assert dict(owners.find_owners("a.py")) == {"ada": 3}
    assert [error.partition(":")[0] for error in owners.errors] == ["line 2", "line 4", "line 5"]


def test_a_pattern_of_many_stars_takes_no_time():
    """Both the pattern and the paths of 4,000 characters are untrusted."""
    pattern = "*a" * 500 + "b" + "/**/x" * 200
    assert not parse_glob(pattern).matches("a" * 2_000 + "/y" * 1_000)


def test_expressions_of_gitea_add_up():
    """Regular expressions match whole paths, and all that match count: docs/forge-behaviour/gitea.md#code."""
    owners = parse_expression_rules("CODEOWNERS", ".*\\\\.py @ada\nsrc/.* @bob\n!src/.* @eve\n# no\n")
    assert [dict(owners.find_owners(path)) for path in ("src/a.py", "a.py", "srcx")] == [
        {"ada": 1, "bob": 2},
        {"ada": 1, "eve": 3},
        {"eve": 3},
    ]


@pytest.mark.parametrize(
    ("expression", "fits", "not_"),
    [
        ("*.py", ["code.py", "a/b.py"], ["code.js"]),
        ("*", ["a", "a/b"], []),
        ("docs|src/.*", ["docs", "docs/a", "x/src/a"], ["xdocs", "src"]),
        ("?a", ["a", "b/a"], ["ab"]),
        ("/docs/.*", ["docs/a"], ["x/docs/a"]),
        ("!/docs/.*", ["x/docs/a"], ["docs/a"]),
    ],
)
def test_an_expression_of_gitea_stands_between_anchors(expression, fits, not_):
    """As Gitea compiles it, with `^` before it and `$` behind it; the table is what its library answers."""
    (rule,) = parse_expression_rules("CODEOWNERS", f"{expression} @ada").rules
    assert [rule.fit.matches(path) for path in fits + not_] == [True] * len(fits) + [False] * len(not_)


@pytest.mark.parametrize("expression", ["**", "**/a", "(*a)", "a|*b", "a++", ".*+", "a{2}+"])
def test_an_expression_that_gitea_cannot_compile_is_an_error(expression):
    owners = parse_expression_rules("CODEOWNERS", f"{expression} @ada")
    assert (owners.rules, len(owners.errors)) == ((), 1)


def test_a_plus_behind_a_sign_in_brackets_or_escaped_is_a_quantifier():
    owners = parse_expression_rules("CODEOWNERS", "[*+?]+ @ada\n\\\\++ @bob\n")
    assert (dict(owners.find_owners("+*")), dict(owners.find_owners("++")), owners.errors) == (
        {"ada": 1},
        {"ada": 1, "bob": 2},
        (),
    )


def test_an_invalid_or_ownerless_pattern_is_skipped_alone():
    owners = parse_expression_rules("CODEOWNERS", "( @ada\n.*\n.* @bob\n")
    assert dict(owners.find_owners("a")) == {"bob": 3}
    assert [error.partition(":")[0] for error in owners.errors] == ["line 1", "line 2"]


def test_an_expression_that_takes_an_age_is_given_up():
    owners = parse_expression_rules("CODEOWNERS", "(a+)+(a+)+(a+)+b @ada\n.* @bob\n")
    found = [dict(owners.find_owners("a" * 3_000 + str(number))) for number in range(50)]
    assert all(one == {"bob": 2} for one in found)


@pytest.mark.parametrize("read", [parse_glob_rules, parse_expression_rules, parse_section_rules])
def test_one_file_against_many_slow_lines_ends_in_time(read):
    """Each reading of this clock adds a second, as if untrusted lines were slow."""
    clock = count()
    owners = read("CODEOWNERS", "z @ada\n" * 400)
    found = resolve_ownership(owners, ["a", "b"], lambda: next(clock))
    assert next(clock) == SECONDS + 2
    assert (dict(found.files), found.unread) == ({}, 2)


def test_owners_found_within_the_time_limit_count():
    """By a clock of three seconds a look: after nine three are through."""
    clock = count(1, 3)
    found = resolve_ownership(
        parse_glob_rules("CODEOWNERS", "* @ada\n"), ["a", "b", "c", "d", "e"], lambda: next(clock)
    )
    assert (list(found.files), found.unread) == (["a", "b", "c"], 2)


def test_a_pattern_that_was_given_up_is_named():
    """Who would own a file by it is not known, though another line fits."""
    owners = parse_expression_rules("CODEOWNERS", ".* @bob\n(a+)+(a+)+(a+)+b @ada\n")
    assert resolve_ownership(owners, ["short"]).timed_out_lines == ()
    assert resolve_ownership(owners, ["a" * 3_000]).timed_out_lines == (2,)


@pytest.mark.parametrize(
    ("pattern", "fits", "not_"),
    [
        ("*", ["a", ".a", "a/b.c"], []),
        ("*.rb", ["a.rb", "b/c.rb"], ["a.rbx"]),
        ("README.md", ["README.md", "app/lib/README.md"], ["xREADME.md", "README.md/a"]),
        ("internal/README.md", ["internal/README.md", "docs/api/internal/README.md"], ["README.md"]),
        ("/README.md", ["README.md"], ["docs/README.md"]),
        ("/docs/", ["docs/a", "docs/b/c"], ["docs", "x/docs/a"]),
        ("docs/", ["docs/a", "x/docs/b/c"], ["docs"]),
        ("docs", ["docs", "x/docs"], ["docs/a"]),
        ("/docs/*", ["docs/a.md"], ["docs/b/c.md"]),
        ("/docs/*/README.md", ["docs/api/README.md"], ["docs/README.md", "docs/a/b/README.md"]),
        ("/docs/**/index.md", ["docs/index.md", "docs/api/graphql/index.md"], ["index.md"]),
        ("/docs/**", ["docs/a"], ["docs/b/c", "docs"]),
        (r"path\ with/", ["path with/a"], ["path"]),
        (r"\#file", ["#file"], ["file"]),
    ],
)
def test_a_pattern_of_gitlab_is_for_these_paths(pattern, fits, not_):
    """As Ruby's fnmatch: https://docs.gitlab.com/user/project/codeowners/reference/#path-matching."""
    (rule,) = parse_section_rules("CODEOWNERS", f"{pattern} @ada").rules
    found = [rule.fit.matches(path) for path in fits], [rule.fit.matches(path) for path in not_]
    assert found == ([True] * len(fits), [False] * len(not_))


SECTIONS = """
# The last line that matches counts in each section.
* @admin
!pom.xml

[README Owners][2] @docs/team
README.md
internal/README.md @user4 @@maintainer

^[Database] @dba
*.sql
!/config/**/*.sql
/config/db.sql @ops  # never: it is excluded

[readme owners]
LICENSE legal@example.com @eve
^[Go]
*.go
^[README Owners]
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("README.md", {"admin": 3, "docs/team": 7}),
        ("internal/README.md", {"admin": 3, "user4": 8, "@@maintainer": 8}),
        ("pom.xml", {}),
        ("a/b.sql", {"admin": 3, "dba": 11}),
        ("config/db.sql", {"admin": 3}),
        ("LICENSE", {"admin": 3, "legal@example.com": 16, "eve": 16}),
        ("main.go", {"admin": 3}),
    ],
)
def test_the_sections_of_gitlab_add_up(path, owners):
    assert dict(parse_section_rules("CODEOWNERS", SECTIONS).find_owners(path)) == owners


@pytest.mark.parametrize(
    ("paths", "sections"),
    [
        (["README.md"], ["README Owners (2 approvals)"]),
        (["a.sql", "LICENSE"], ["README Owners (2 approvals)", "Database (optional)"]),
        (["main.go", "pom.xml"], []),
    ],
)
def test_sections_say_what_they_require(paths, sections):
    """One that is required anywhere is required."""
    found = resolve_ownership(parse_section_rules("CODEOWNERS", SECTIONS), paths)
    assert [str(section) for section in found.sections] == sections


def test_a_line_without_a_pattern_costs_itself_alone():
    owners = parse_section_rules("CODEOWNERS", "!\n\\\n[ ]\n[a]b @x\n* @ada\n")
    assert (dict(owners.find_owners("c")), owners.errors) == (
        {"ada": 5},
        ("line 1: missing pattern", "line 2: missing pattern"),
    )
