"""Rules of the project's language that a program can check, and how many exceptions each package still has.

    python tests/repository/language.py            print the counts beside the allowed ones
    python tests/repository/language.py PATH…      list the exceptions in these files or folders
    python tests/repository/language.py --update   write the counts into allowed.json; no total may rise

The last one is for lower counts, and for code that moves to another package.
"""

import ast
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ALLOWED = Path(__file__).with_name("allowed.json")
FOLDERS = ("core", "plugins", "libs", "tests", "demo", "benchmarks", "deploy", "cassettes", "docs")
IRREGULAR = re.compile(
    r"asked|begun|bought|brought|built|cut|done|drawn|found|given|gone|heard|held|kept|known|left|lent|lost|made|meant|met"
    r"|paid|put|said|seen|sent|set|shown|shut|spent|split|spoken|stood|taken|taught|thought|told|torn|understood|worn"
    r"|written"
)
PARTICIPLE = re.compile(r"(?!embed|exceed|feed|need|proceed|seed|shed|speed)\w{2,}ed")
NO_NOUN = re.compile(r"again|apart|as|at|away|back|between|by|for|from|if|in|of|on|otherwise|out|over|to|up|with")
SAME_STEM = {"__init__", "__main__", "tools", "spi"}
"""Every plugin may have a module of such a name."""

FIRST_WORD = re.compile(r"(Give|Say|Tell|Hear|Take|Look|Mend|Come|Find out)\b")
OPENING = re.compile(rf"""["']{FIRST_WORD.pattern}""")
DEFINED = re.compile(r"def (\w+)")
METAPHOR = re.compile(
    r"(?<![a-z-])(houses?|rooms?|doors?|strangers?|crowd(s|ed)?|loans?|lend(s|ing)?|lent|anew|mend(s|ed|ing)?)(?![a-z])",
    re.IGNORECASE,
)
DICTATED = {str(ROOT / "tests/support/github_double/graph"): {"function named by a participle"}}
"""Rules that others decide: these classes resolve the fields of GitHub's schema, whose names their methods have."""

OVERRIDDEN = {"minimized"}
"""Methods of the plugin interface, whose overrides in forges have the same name; each counts once, in the interface."""
RECORDED_NAME = re.compile(r"""["'/](?:stranger|crowd)["'/:-]""")
"""The account without rights, and a repository, of recordings: the forges' answers hold these names."""

INVERSION = re.compile(r"(?<![Tt]here )\b(is|are) (none\b|no (?!longer|more\b))")
REQUIREMENT = re.compile(r"\b(?:COM|FIX|PULL|ARCH|REPLY|SERVE)-\d+\b")
RECORD = re.compile(r"ADR (?<=\bADR )(\d+)\b")
GONE = re.compile(r"\bspecs?/\d|\bfield[ -]notes?\b|\bpeers' mistakes?\b|\b(?:FR|SC)-\d{3}\b", re.IGNORECASE)
PAGE = re.compile(r"(docs/(?<=\bdocs/)[\w/-]+\.md)(?:#([\w-]+))?")
SHOWN = re.compile(r"`((?:cassettes|tests)/[^`\s]+)`")
CHECKED = (METAPHOR, INVERSION, GONE, REQUIREMENT, RECORD, PAGE, SHOWN)
"""Only lines in which one of these matches can break a rule about lines."""

Offence = tuple[str, str, int, str]
"""The rule, the file below the root, the line, and the text that breaks the rule."""


def iterate_offences() -> Iterator[Offence]:
    """Iterate over everything in the repository that breaks a rule."""
    stems = Counter(path.stem for path in list_files(".py") if "/src/" in f"/{path}")
    for path in [*list_files(".py"), *list_files(".md"), *list_files(".toml"), *list_files(".yaml")]:
        text = path.read_text(encoding="utf-8")
        name = str(path.relative_to(ROOT))
        if path.suffix == ".py":
            found = iterate_code_offences(text)
            dictated = DICTATED.get(str(path.parent), ())
            rows = ((rule, name, line, said) for rule, line, said in found if rule not in dictated)
            yield from (row for row in rows if name.startswith("libs/interface/src/") or row[-1] not in OVERRIDDEN)
            if "/src/" in name and path.stem not in SAME_STEM and stems[path.stem] > 1:
                yield "repeated module name", name, 1, path.stem
        for number, line in iterate_candidates(text):
            yield from ((rule, name, number, said) for rule, said in iterate_line_offences(line, name))


def iterate_candidates(text: str) -> Iterator[tuple[int, str]]:
    """Iterate over the number and the text of each line to check: searches of a whole text cost least."""
    for start in sorted({text.rfind("\n", 0, match.start()) + 1 for item in CHECKED for match in item.finditer(text)}):
        yield text.count("\n", 0, start) + 1, text[start : text.find("\n", start) % (len(text) + 1)]


def iterate_code_offences(text: str) -> Iterator[tuple[str, int, str]]:
    """Iterate over rule, line and text of what breaks a rule about docstrings and names of functions."""
    if not OPENING.search(text) and not any(map(is_participle, DEFINED.findall(text))):
        return  # parsing every file takes a third of the time
    for statement in iterate_statements(ast.parse(text)):
        match statement:
            case ast.Expr(value=ast.Constant(value=str(said))) if FIRST_WORD.match(said):
                yield "first word of a docstring", statement.lineno, said.partition("\n")[0]
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if is_participle(name) and not has_property(statement):
                    yield "function named by a participle", statement.lineno, name


def iterate_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Iterate over the statements below a node; expressions, which are ten times as many, are not entered."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for statement in getattr(node, field, ()):
            yield statement
            yield from iterate_statements(statement)


def is_participle(name: str) -> bool:
    """Return whether a name is a past participle without the noun that it belongs to."""
    first, *rest = name.strip("_").split("_")
    if not (IRREGULAR.fullmatch(first) or PARTICIPLE.fullmatch(first)):
        return False
    return not rest or bool(NO_NOUN.fullmatch(rest[0]) and first not in {"cut", "put", "set"})


def has_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function is a property or a fixture, whose name is a noun or an adjective."""
    return any(re.search(r"property|fixture|setter", ast.unparse(item)) for item in node.decorator_list)


def iterate_line_offences(line: str, name: str) -> Iterator[tuple[str, str]]:
    """Iterate over rule and text of what breaks a rule in a line of any file."""
    if name.startswith("tests/repository/"):  # has examples of what breaks the rules
        return
    if not name.startswith("cassettes/"):
        yield from (("metaphor", match[0]) for match in METAPHOR.finditer(RECORDED_NAME.sub("", line)))
        yield from (("'is none' or 'is no …'", match[0]) for match in INVERSION.finditer(line))
    yield from (("unresolved reference", reference) for reference in iterate_unresolved(line, name))


def iterate_unresolved(line: str, name: str) -> Iterator[str]:
    """Iterate over references of a line that lead nowhere; `test_links.py` checks the links of pages."""
    yield from (match[0] for match in GONE.finditer(line))
    requirements = read_page("docs/requirements.md")
    yield from (item for item in REQUIREMENT.findall(line) if f"\n### {item} " not in requirements)
    for number in RECORD.findall(line) if not name.startswith("tests/") else ():
        if not list((ROOT / "docs/adr").glob(f"{int(number):04}-*.md")):
            yield f"ADR {number}"
    for page, anchor in PAGE.findall(line):
        if anchor and anchor not in list_anchors(page):
            yield f"{page}#{anchor}"
    if name.startswith("docs/forge-behaviour/"):
        yield from (shown for shown in SHOWN.findall(line) if not list(ROOT.glob(shown)))


def list_files(suffix: str) -> list[Path]:
    """Return the files of the repository with a suffix, without generated ones and recorded data."""
    found = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob(f"*{suffix}"))]
    recorded = r"forgejo-|gitea-\d|github/.*yaml|cassettes/demo|logs/|results/|samples/|frozen/interface_"
    data = rf"/(\.|build|node_modules|{recorded})"
    return [path for path in found if not re.search(data, f"/{path.relative_to(ROOT)}")]


PAGES: dict[str, str] = {}


def read_page(name: str) -> str:
    """Return the text of a page, or an empty one where there is no such page."""
    if name not in PAGES:
        PAGES[name] = (ROOT / name).read_text(encoding="utf-8") if (ROOT / name).exists() else ""
    return PAGES[name]


def list_anchors(page: str) -> set[str]:
    """Return the anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", read_page(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def count_offences() -> dict[str, dict[str, int]]:
    """Count the exceptions by rule and package: `core`, `plugins/ci`, `tests` and so on."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for rule, name, _line, _text in iterate_offences():
        parts = name.split("/")
        counts[rule]["/".join(parts[: 2 if parts[0] in {"plugins", "libs"} else 1])] += 1
    return {rule: dict(sorted(counts[rule].items())) for rule in sorted(counts)}


def read_allowed() -> dict[str, dict[str, int]]:
    """Read how many exceptions each rule and package may have; what is not named may have none."""
    return json.loads(ALLOWED.read_text(encoding="utf-8"))


def update_allowed() -> str:
    """Write the present counts as the allowed ones, unless a total has risen, and return what was done."""
    counts, allowed = count_offences(), read_allowed()
    risen = [rule for rule in counts if sum_up(counts, rule) > sum_up(allowed, rule)]
    if risen:
        return f"more exceptions than allowed, so nothing was written: {', '.join(risen)}"
    ALLOWED.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    return f"written: {ALLOWED}"


def sum_up(counts: dict[str, dict[str, int]], rule: str, package: str = "") -> int:
    """Return the number of exceptions of a rule, in all packages or in one."""
    return sum(count for name, count in counts.get(rule, {}).items() if package in ("", name))


def format_counts() -> Iterator[str]:
    """Iterate over the lines of the table: the present count, the allowed one, and what they are of."""
    counts, allowed = count_offences(), read_allowed()
    for rule in sorted(counts.keys() | allowed.keys()):
        yield f"{sum_up(counts, rule):6} of {sum_up(allowed, rule):6} {rule}"
        for package in sorted(counts.get(rule, {}).keys() | allowed.get(rule, {}).keys()):
            yield f"{sum_up(counts, rule, package):6} of {sum_up(allowed, rule, package):6}   {package}"


def main(arguments: list[str]) -> Iterator[str]:
    """Run the command that this module's docstring describes, and iterate over the lines that it prints."""
    if arguments == ["--update"]:
        yield update_allowed()
    elif arguments:
        chosen = tuple(str(Path(item).resolve().relative_to(ROOT)) for item in arguments)
        for rule, name, line, text in iterate_offences():
            if name.startswith(chosen):
                yield f"{name}:{line}: {rule}: {text}"
    else:
        yield from format_counts()


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in main(sys.argv[1:]))
