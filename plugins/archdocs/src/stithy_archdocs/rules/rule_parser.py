"""Parse the rules of a document: fenced `yaml ast-grep` and `yaml policy`, and `policy` in its front matter."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import yaml
from attrs import evolve, frozen

from stithy_archdocs.document_models import Document, DocumentProblem
from stithy_archdocs.rules.code_blocks import find_blocks
from stithy_archdocs.rules.languages import describe_unsupported, find_language
from stithy_archdocs.rules.pattern_checks import check_patterns
from stithy_archdocs.rules.project_rule_parser import (
    PROJECT_KINDS,
    check_graph_language,
    needs_graph,
    parse_project_check,
)
from stithy_archdocs.rules.rule_models import CodeBlock, ImportPolicy, Rule, RuleSample, UnreadRule
from stithy_archdocs.rules.rule_values import InvalidRule, to_mappings, to_text, to_texts

LARGEST = 64 * 1024
"""Maximum characters of a block."""
_DEEPEST = 40


class _Loader(yaml.SafeLoader):
    """Loads plain values; no dates, since `valid: 2024-01-02` is code, and "no" and "off" are words, as in YAML 1.2."""

    yaml_implicit_resolvers = {  # noqa: RUF012 -- the name is PyYAML's
        first: [
            (tag, expression)
            for tag, expression in resolvers
            if tag != "tag:yaml.org,2002:timestamp" and (tag != "tag:yaml.org,2002:bool" or first in "tTfF")
        ]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def load_documents(text: str) -> Iterator[tuple[Any, int]]:
    """Iterate over the YAML documents of a block, each with the index of its first line.

    Raises:
        InvalidRule: The text is invalid YAML, too large, or has aliases, with which a few lines expand to millions of
            values.
    """
    if len(text) > LARGEST:
        raise InvalidRule(f"the block has more than {LARGEST} characters; split it")
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=_Loader)):
            raise InvalidRule("aliases (*name) are not supported; repeat the value")
        for node in yaml.compose_all(text, Loader=_Loader):
            if node is not None:
                value = _Loader("").construct_document(node)
                _check_depth(value, 0)
                yield value, node.start_mark.line
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InvalidRule(f"invalid YAML in line {line} of the block: {error.problem}") from error
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        raise InvalidRule(f"invalid YAML: {str(error)[:200]}") from error


def _check_depth(value: object, depth: int) -> None:
    if depth > _DEEPEST:
        raise InvalidRule("nested too deeply")
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple | set) else ()
    for one in inner:
        _check_depth(one, depth + 1)


MOST = 200
"""Maximum number of rules in a document."""
_SEVERITIES = {"error": "error", "warning": "warning", "info": "warning", "hint": "warning", "": "warning"}
_MATCHED = ("rule", "constraints", "utils", "transform")
_ID = re.compile(r"[\w.:/@-]{1,100}")


@frozen
class ParsedRules:
    """The rules of a document, its unreadable rules, and their problems."""

    rules: tuple[Rule, ...]
    unread: tuple[UnreadRule, ...]
    problems: tuple[DocumentProblem, ...]


@frozen
class _RuleEntry:
    """A rule as written: its mapping, its line, and the function that parses it."""

    raw: Mapping[str, Any]
    line: int
    make: Callable[[Mapping[str, Any], int], Rule]


def parse_rules(document: Document) -> ParsedRules:
    """Parse the rules of a document; an unreadable rule becomes a problem and does not affect others."""
    rules: dict[str, Rule] = {}
    unread: list[UnreadRule] = []
    beyond: list[Rule] = []
    for one in _iterate_entries(document):
        if isinstance(one, UnreadRule):
            unread.append(one)
            continue
        try:
            rule = _apply_document_globs(one.make(one.raw, one.line), document)
            _check_unique(rule, rules)
        except InvalidRule as error:
            unread.append(_describe_unread(one, str(error), document))
            continue
        if len(rules) < MOST:
            rules[rule.id] = rule
        else:
            beyond.append(rule)
    problems = [
        DocumentProblem(
            rule="invalid-rule",
            message=f"{one.what}: {one.reason}",
            path=document.path,
            line=one.line,
            severity="error",
        )
        for one in unread
    ]
    if beyond:
        said = f"more than {MOST} rules; {len(beyond)} are not used; split the document"
        line = beyond[0].line
        problems.append(
            DocumentProblem(rule="too-many-rules", message=said, path=document.path, line=line, severity="error")
        )
    unread += [
        UnreadRule(
            what=f"rule {rule.id}",
            reason=f"only the first {MOST} rules of a document are used; split it",
            line=rule.line,
            language=rule.language,
            files=rule.files,
            ignores=rule.ignores,
        )
        for rule in beyond
    ]
    return ParsedRules(tuple(rules.values()), tuple(unread), tuple(problems))


def _apply_document_globs(rule: Rule, document: Document) -> Rule:
    """Return a rule with the globs of its document, if it has none of its own."""
    files, ignores = (to_texts(document.matter.get(name)) for name in ("files", "ignores"))
    return evolve(rule, files=rule.files or files, ignores=rule.ignores or ignores)


def _check_unique(rule: Rule, known: Mapping[str, Rule]) -> None:
    if rule.id in known:
        raise InvalidRule(f"duplicate rule id {rule.id!r}; rename one of them")


def _describe_unread(entry: _RuleEntry, reason: str, document: Document) -> UnreadRule:
    """Describe an unreadable rule with as much of its scope as can be read."""
    raw = entry.raw
    name = to_text(raw.get("id"))[:100]
    return UnreadRule(
        what=f"rule {name}" if name else f"the rule in line {entry.line}",
        reason=reason,
        line=entry.line,
        language=to_text(raw.get("language")),
        files=to_texts(raw.get("files")) or to_texts(document.matter.get("files")),
        ignores=to_texts(raw.get("ignores")) or to_texts(document.matter.get("ignores")),
    )


def _iterate_entries(document: Document) -> Iterator[_RuleEntry | UnreadRule]:
    """Iterate over the rules of all places in a document, as written."""
    yield from _entries_in_front_matter(document)
    for block in find_blocks(document):
        if block.words[:1] in (("yaml",), ("yml",)):
            if "ast-grep" in block.words:
                yield from _entries_in_block(block, _iterate_syntax_entries)
            elif "policy" in block.words:
                yield from _entries_in_block(block, _iterate_import_entries)


def _entries_in_front_matter(document: Document) -> Iterator[_RuleEntry | UnreadRule]:
    policy = document.matter.get("policy")
    line = 1 + document.text[: max(document.text.find("policy:"), 0)].count("\n")
    broken = any(problem.rule == "yaml" for problem in document.problems)
    if broken and "policy" in document.matter and not isinstance(policy, Mapping):
        yield UnreadRule(what="the policy in the front matter", reason="the front matter is not valid YAML", line=line)
    elif isinstance(policy, Mapping) and any(kind in policy for kind in ("imports", *PROJECT_KINDS)):
        try:
            yield from _iterate_policies(policy, line)
        except InvalidRule as error:
            yield UnreadRule(what="the policy in the front matter", reason=str(error), line=line)


def _entries_in_block(
    block: CodeBlock, entries: Callable[[object, int], Iterator[_RuleEntry]]
) -> Iterator[_RuleEntry | UnreadRule]:
    """Iterate over the rules of a block; if it is invalid YAML, the scope of its rules is unknown."""
    empty = True
    try:
        for value, line in load_documents(block.text):
            empty = False
            yield from entries(value, block.line + line)
    except InvalidRule as error:
        yield UnreadRule(what=f"the rules in line {block.line}", reason=str(error), line=block.line)
        return
    if empty:
        line = block.line - 1  # the line of the fence
        yield UnreadRule(
            what=f"the block in line {line}", reason="the block is empty; write a rule or remove it", line=line
        )


def _iterate_syntax_entries(value: object, line: int) -> Iterator[_RuleEntry]:
    for raw in to_mappings(value, "the rule"):
        if raw.get("severity") != "off":
            yield _RuleEntry(raw, line, parse_syntax_rule)


def parse_syntax_rule(raw: Mapping[str, Any], line: int) -> Rule:
    """Parse a rule of ast-grep.

    Raises:
        InvalidRule: It is invalid.
    """
    if not isinstance(raw.get("rule"), Mapping):
        raise InvalidRule("it has no mapping `rule`; see ast-grep's rule reference")
    fix = raw.get("fix")
    language = _parse_language(raw, required=True)
    check_patterns(raw, language)
    return Rule(
        id=_parse_id(raw),
        language=language,
        severity=_parse_severity(raw),
        message=to_text(raw.get("message")) or f"{_parse_id(raw)} is violated",
        note=to_text(raw.get("note")),
        fix=to_text(fix.get("template") if isinstance(fix, Mapping) else fix),
        config={name: raw[name] for name in _MATCHED if raw.get(name) is not None},
        line=line,
        **_parse_common(raw),
    )


def _iterate_import_entries(value: object, line: int) -> Iterator[_RuleEntry]:
    for raw in to_mappings(value, "the policy"):
        inner = raw.get("policy", raw)
        yield from _iterate_policies(inner if isinstance(inner, Mapping) else {}, line)


def _iterate_policies(policy: Mapping[str, Any], line: int) -> Iterator[_RuleEntry]:
    kinds = [kind for kind in ("imports", *PROJECT_KINDS) if kind in policy]
    if not kinds:
        raise InvalidRule(f"the policy has none of the keys {', '.join(('imports', *PROJECT_KINDS))}")
    for kind in kinds:
        make = _parse_policy if kind == "imports" else partial(_parse_project_rule, kind)
        for number, raw in enumerate(to_mappings(policy[kind], f"policy.{kind}"), 1):
            yield _RuleEntry({"id": f"{kind}-{number}"} | dict(raw), line, make)


def _parse_project_rule(kind: str, raw: Mapping[str, Any], line: int) -> Rule:
    name = _parse_id(raw)
    language = _parse_language(raw, required=True) if needs_graph(kind) else ""
    if language:
        check_graph_language(language)
    return Rule(
        id=name,
        language=language,
        severity=_parse_severity({"severity": "error"} | dict(raw)),
        message=to_text(raw.get("message")),
        note=to_text(raw.get("note")),
        fix="" if raw.get("fix") is None else str(raw["fix"]),
        project=parse_project_check(kind, raw),
        line=line,
        **_parse_common(raw),
    )


def _parse_policy(raw: Mapping[str, Any], line: int) -> Rule:
    disallow, prefer = to_texts(raw.get("disallow")), _parse_prefer(raw.get("prefer"))
    if not disallow and not any(prefer):
        raise InvalidRule("policy.imports disallows nothing; add disallow: [name]")
    imports = ImportPolicy(
        disallow=(*disallow, *(old for old in prefer if old and old not in disallow)),
        allow=to_texts(raw.get("allow")),
        prefer=prefer,
    )
    return Rule(
        id=_parse_id(raw),
        language=_parse_language(raw, required=False),
        severity=_parse_severity({"severity": "error"} | dict(raw)),
        message=to_text(raw.get("message")),
        note=to_text(raw.get("note")),
        imports=imports,
        line=line,
        **_parse_common(raw),
    )


def _parse_prefer(value: object) -> dict[str, str]:
    """Parse the preferred imports: `{old: new}`, or names that replace everything that is disallowed."""
    if isinstance(value, Mapping):
        return {str(old): str(new) for old, new in value.items()}
    return {"": " or ".join(to_texts(value))} if value else {}


def _parse_common(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "files": to_texts(raw.get("files")),
        "ignores": to_texts(raw.get("ignores")),
        "valid": _parse_samples(raw.get("valid")),
        "invalid": _parse_samples(raw.get("invalid")),
    }


def _parse_samples(value: object) -> tuple[RuleSample, ...]:
    found = value if isinstance(value, list) else [] if value is None else [value]
    return tuple(
        RuleSample(
            code=str(one.get("code", "")),
            path=to_text(one.get("path")),
            language=to_text(one.get("language")),
            files=_parse_sample_files(one.get("files")),
        )
        if isinstance(one, Mapping)
        else RuleSample(code=str(one))
        for one in found
    )


def _parse_sample_files(value: object) -> Mapping[str, str] | None:
    return {str(path): str(text) for path, text in value.items()} if isinstance(value, Mapping) else None


def _parse_id(raw: Mapping[str, Any]) -> str:
    found = to_text(raw.get("id"))
    if not _ID.fullmatch(found):
        raise InvalidRule(f"invalid rule id {found[:50]!r}; expected 1 to 100 letters, digits or any of . : / @ _ -")
    return found


def _parse_language(raw: Mapping[str, Any], *, required: bool) -> str:
    written = to_text(raw.get("language"))
    if not written and not required:
        return ""
    found = find_language(written)
    if found is None:
        raise InvalidRule(describe_unsupported(written))
    return found


def _parse_severity(raw: Mapping[str, Any]) -> str:
    written = to_text(raw.get("severity")).lower()
    if written not in _SEVERITIES:
        raise InvalidRule(f"invalid severity {written[:50]!r}; expected error or warning")
    return _SEVERITIES[written]
