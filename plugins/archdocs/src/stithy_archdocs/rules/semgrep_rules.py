"""Translate semgrep's rules to those of ast-grep, as far as ast-grep can express them.

The syntax is that of https://semgrep.dev/docs/writing-rules/rule-syntax. Patterns match code as it is written: semgrep
also follows import aliases and constants. What changes the meaning is refused, with the reason.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from stithy_archdocs.rules.languages import describe_unsupported, find_language, list_globs
from stithy_archdocs.rules.pattern_checks import check_patterns
from stithy_archdocs.rules.pcre_expressions import translate_expression
from stithy_archdocs.rules.project_models import TextCheck
from stithy_archdocs.rules.rule_models import Rule
from stithy_archdocs.rules.rule_values import InvalidRule, to_mappings, to_text, to_texts
from stithy_archdocs.rules.semgrep_spellings import iterate_spellings

_SEVERITIES = {"error": "error", "critical": "error", "high": "error"}
_ANY = frozenset({"generic", "regex", "none"})
_LOOKAROUND = re.compile(r"\(\?(?:[=!]|<[=!])|\\[1-9]")
_BY_IMPORTS = re.compile(r"\b[A-Za-z_]\w*(?:\.[\w$]+){3,}(?=\()")
_REFUSED = (
    (re.compile(r"<\.\.\."), "deep expressions (<... ...>)"),
    (re.compile(r"""(["'`])\.\.\.\1"""), 'any string ("...")'),
    (re.compile(r"\.\s*\.\.\.\s*\."), "chains of methods (. ... .)"),
    (re.compile(r"\(\s*[\w.]+\s+\$[A-Z]|\$[A-Z_]+\s*:\s*\$?[A-Z]\w*\s*\)"), "typed metavariables"),
    (re.compile(r"\[\s*\.\.\.\s*\]\s*$"), "any element of a list"),
    (re.compile(r"=~/"), "regular expressions in patterns"),
)
_ELLIPSIS = re.compile(r"(?<![.$])\.\.\.(?![.\w])")
_ANONYMOUS = "$_"
_DEFINITION = re.compile(r"(?:async\s+)?(?:def|class)\s")
_PYTHON_BODY = re.compile(r":\s*\n\s+\.\.\.\s*$|:\s*\.\.\.\s*$")
_BRACED_BODY = re.compile(r"\{\s*\.\.\.\s*\}")


def translate_rule(raw: Mapping[str, Any], line: int) -> list[Rule]:
    """Return a rule of semgrep as rules with its id: one for each language, or one for texts.

    Raises:
        InvalidRule: ast-grep cannot express it.
    """
    name = to_text(raw.get("id"))
    if not name:
        raise InvalidRule("a rule has no id")
    mode = to_text(raw.get("mode")) or "search"
    if mode != "search":
        raise InvalidRule(f"mode {mode} follows data through the program, which ast-grep does not")
    languages = [to_text(one).lower() for one in to_texts(raw.get("languages"))]
    if check := _read_expressions(raw):
        return [_make_text_rule(raw, languages, line, one, check[1]) for one in check[0]]
    known = list(dict.fromkeys(_find_languages(languages)))
    return [_make_rule(raw, language, line) for language in known]


def _find_languages(names: list[str]) -> Iterator[str]:
    for name in names:
        found = find_language({"js": "javascript", "ts": "typescript", "py": "python"}.get(name, name))
        if found is None:
            raise InvalidRule(describe_unsupported(name))
        yield found
        if found == "typescript":
            yield "tsx"
    if not names:
        raise InvalidRule("the rule names no language")


def _make_common(raw: Mapping[str, Any], line: int) -> dict[str, Any]:
    paths = raw.get("paths")
    paths = paths if isinstance(paths, Mapping) else {}
    severity = to_text(raw.get("severity")).lower()
    return {
        "id": to_text(raw.get("id"))[:100],
        "severity": _SEVERITIES.get(severity, "warning"),
        "message": " ".join(to_text(raw.get("message")).split()),
        "files": tuple(_spread_globs(paths.get("include"))),
        "ignores": tuple(_spread_globs(paths.get("exclude"))),
        "fix": to_text(raw.get("fix")),
        "line": line,
    }


def _spread_globs(value: object) -> Iterator[str]:
    """Iterate over globs that mean what semgrep's do: a name matches a file or folder anywhere, and all below it."""
    for glob in to_texts(value):
        bare = glob.strip("/")
        head = "" if "/" in bare else "**/"
        yield from (f"{head}{bare}", f"{head}{bare}/**")


def _read_expressions(raw: Mapping[str, Any]) -> tuple[list[str], tuple[str, ...]] | None:
    """Return the alternatives of a formula and its exceptions; None if it has more than regular expressions."""
    operators = [key for key in raw if key.startswith(("pattern", "metavariable-", "focus-"))]
    if operators == ["pattern-regex"]:
        return [translate_expression(str(raw["pattern-regex"]))], ()
    if operators not in (["patterns"], ["pattern-either"]):
        return None
    rows = to_mappings(raw[operators[0]], operators[0])
    excepted = [one for one in rows if operators == ["patterns"] and [*one] == ["pattern-not-regex"]]
    parts = [_read_expressions(one) for one in rows if one not in excepted]
    read = [part for part in parts if part is not None and not part[1]]
    if len(read) < len(parts) or not read or (operators == ["patterns"] and len(read) > 1):
        return None
    unless = tuple(translate_expression(str(one["pattern-not-regex"])) for one in excepted)
    return [text for texts, _ in read for text in texts], unless


def _make_text_rule(
    raw: Mapping[str, Any], languages: list[str], line: int, disallow: str, unless: tuple[str, ...]
) -> Rule:
    fields = _make_common(raw, line)
    known = [next(_find_languages([name])) for name in languages if name not in _ANY]
    globs = {glob for language in known for glob in list_globs(language)}
    fields["files"] = fields["files"] or tuple(sorted(globs))
    fields["fix"] = re.sub(r"\$(\d)", r"\\\1", fields["fix"])
    return Rule(language="", project=TextCheck(disallow=disallow, unless=unless), **fields)


def _make_rule(raw: Mapping[str, Any], language: str, line: int) -> Rule:
    reader = _PatternReader(language)
    rule = reader.read_formula(raw)
    if "fix-regex" in raw:
        raise InvalidRule("fix-regex has no counterpart; the rest of the rule is not used, either")
    check_patterns(rule, language)
    config: dict[str, Any] = {"rule": rule}
    if reader.constraints:
        config["constraints"] = reader.constraints
    return Rule(language=language, config=config, **_make_common(raw, line))


class _PatternReader:
    """Reads the patterns of one rule in one language."""

    def __init__(self, language: str) -> None:
        self._language = language
        self.constraints: dict[str, Any] = {}

    def read_formula(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the rule for a mapping that has one operator with a pattern."""
        found = [key for key in raw if key in self._operators]
        unknown = [key for key in raw if key.startswith(("pattern-", "metavariable-", "focus-")) and key not in found]
        if unknown:
            raise InvalidRule(f"{unknown[0]} has no counterpart in ast-grep")
        if len(found) != 1:
            raise InvalidRule("a rule needs exactly one of pattern, patterns, pattern-either and pattern-regex")
        return self._operators[found[0]](raw[found[0]])

    @property
    def _operators(self) -> Mapping[str, Callable[[Any], dict[str, Any]]]:
        return {
            "pattern": self._read_pattern,
            "patterns": self._read_all,
            "pattern-either": self._read_any,
            "pattern-regex": self._read_regex,
            "pattern-not": lambda value: {"not": self._read_exception(value)},
            "pattern-inside": self._read_inside,
            "pattern-not-inside": lambda value: {"not": self._read_inside(value)},
            "pattern-not-regex": lambda value: {"not": self._read_regex(value)},
        }

    def _read_all(self, value: object) -> dict[str, Any]:
        rows = to_mappings(value, "patterns")
        rules = [self.read_formula(row) for row in rows if not self._read_condition(row)]
        positive = [one for one in rules if "not" not in one]
        if not positive:
            raise InvalidRule("patterns has no positive pattern")
        return {"all": [*sorted(positive, key=lambda one: "any" in one), *(one for one in rules if "not" in one)]}

    def _read_any(self, value: object) -> dict[str, Any]:
        return {"any": [self.read_formula(row) for row in to_mappings(value, "pattern-either")]}

    def _read_condition(self, row: Mapping[str, Any]) -> bool:
        """Record a condition on a metavariable; returns whether the row was one."""
        if "metavariable-regex" not in row:
            return False
        condition = row["metavariable-regex"]
        name = to_text(condition.get("metavariable")) if isinstance(condition, Mapping) else ""
        if not re.fullmatch(r"\$[A-Z_][A-Z0-9_]*", name):
            raise InvalidRule(f"invalid metavariable {name[:30]!r}")
        # semgrep matches at the beginning, ast-grep anywhere
        self.constraints[name[1:]] = {"regex": f"^(?:{_check_regex(to_text(condition.get('regex')))})"}
        return True

    def _read_regex(self, value: object) -> dict[str, Any]:
        return {"regex": _check_regex(str(value))}

    def _read_inside(self, value: object) -> dict[str, Any]:
        inner = self._read_pattern(value)
        return {"any": [inner, {"inside": {**inner, "stopBy": "end"}}]}

    def _read_pattern(self, value: object) -> dict[str, Any]:
        if not isinstance(value, str):
            raise InvalidRule("a pattern is not a text")
        text = value.strip()
        for expression, what in _REFUSED:
            if expression.search(text):
                raise InvalidRule(f"{what} have no counterpart in ast-grep: {text[:60]!r}")
        if self._is_sequence(text):
            raise InvalidRule(f"several statements in a row have no counterpart in ast-grep: {text[:60]!r}")
        patterns = [{"pattern": self._replace_ellipses(one)} for one in iterate_spellings(text, self._language)]
        found = {"any": patterns} if len(patterns) > 1 else patterns[0]
        return _add_decorators(found) if self._language == "python" and _DEFINITION.match(text) else found

    def _read_exception(self, value: object) -> dict[str, Any]:
        """Read a pattern for code that is not a hit; one that would match less than in semgrep makes wrong hits."""
        long = _BY_IMPORTS.search(str(value)) if self._language == "python" else None
        if long and not long[0].startswith(("self.", "cls.")):
            raise InvalidRule(f"semgrep finds {long[0]} by the imports of a file, ast-grep does not")
        return self._read_pattern(value)

    def _is_sequence(self, text: str) -> bool:
        """Return whether a pattern is more than one statement."""
        lines = [line for line in text.split("\n") if line.strip()]
        if self._language == "python":
            return sum(not line[0].isspace() and line[0] not in ")]}@" for line in lines) > 1
        depth, parts = 0, 0
        for line in lines:
            parts += depth == 0 and not line.lstrip().startswith(("}", ")", "]", "@"))
            depth += sum(line.count(sign) for sign in "{([") - sum(line.count(sign) for sign in "})]")
        return parts > 1

    def _replace_ellipses(self, text: str) -> str:
        found = re.sub(r"\$\.\.\.([A-Z_][A-Z0-9_]*)", r"$$$\1", text)
        if self._language == "python":
            found = _PYTHON_BODY.sub(":\n    $$$", found)
        return _ELLIPSIS.sub("$$$", _BRACED_BODY.sub("{ $$$ }", found))


def _add_decorators(rule: dict[str, Any]) -> dict[str, Any]:
    """Return a rule for a definition that begins with its decorators, as in semgrep."""
    decorated = {"kind": "decorated_definition"}
    return {
        "any": [{**decorated, "has": {**rule, "field": "definition"}}, {"all": [rule, {"not": {"inside": decorated}}]}]
    }


def _check_regex(text: str) -> str:
    if _LOOKAROUND.search(text):
        raise InvalidRule(f"look-around and references have no counterpart in ast-grep's expressions: {text[:60]!r}")
    return text
