"""From a document to its rules: fenced `yaml ast-grep` and `yaml policy`, and `policy` of its front matter."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from stithy_archdocs.records import Document, Problem
from stithy_archdocs.rules.blocks import blocks
from stithy_archdocs.rules.languages import language_of
from stithy_archdocs.rules.records import Block, Imports, Rule, Sample, UnreadRule
from stithy_archdocs.rules.values import InvalidRule, documents_of, mappings, text_of, texts

MOST = 200
"""Rules of one document."""
_SEVERITIES = {"error": "error", "warning": "warning", "info": "warning", "hint": "warning", "": "warning"}
_MATCHED = ("rule", "constraints", "utils", "transform")
_ID = re.compile(r"[\w.:/@-]{1,100}")


@frozen
class Read:
    """What a document has: rules that can be read, and those that cannot, with what is wrong with them."""

    rules: tuple[Rule, ...]
    unread: tuple[UnreadRule, ...]
    problems: tuple[Problem, ...]


@frozen
class _Entry:
    """One rule as it is written: its mapping, its line, and what makes a rule of it."""

    raw: Mapping[str, Any]
    line: int
    make: Callable[[Mapping[str, Any], int], Rule]


def read(document: Document) -> Read:
    """Read the rules of a document; one that cannot be read is a problem, and costs no other."""
    rules: dict[str, Rule] = {}
    unread: list[UnreadRule] = []
    beyond: list[Rule] = []
    for one in _entries(document):
        if isinstance(one, UnreadRule):
            unread.append(one)
            continue
        try:
            rule = _within(one.make(one.raw, one.line), document)
            _check_new(rule, rules)
        except InvalidRule as error:
            unread.append(_unread(one, str(error), document))
            continue
        if len(rules) < MOST:
            rules[rule.id] = rule
        else:
            beyond.append(rule)
    problems = [
        Problem(rule="invalid-rule", message=one.reason, path=document.path, line=one.line, severity="error")
        for one in unread
    ]
    if beyond:
        said = f"a document has at most {MOST} rules, and {len(beyond)} more are not used: part it"
        line = beyond[0].line
        problems.append(Problem(rule="too-many-rules", message=said, path=document.path, line=line, severity="error"))
    unread += [
        UnreadRule(
            what=f"rule {rule.id}",
            reason=f"only the first {MOST} rules of a document are used: part it",
            line=rule.line,
            language=rule.language,
            files=rule.files,
            ignores=rule.ignores,
        )
        for rule in beyond
    ]
    return Read(tuple(rules.values()), tuple(unread), tuple(problems))


def _within(rule: Rule, document: Document) -> Rule:
    """Give a rule the globs of its document, where it has none of its own."""
    files, ignores = (texts(document.matter.get(name)) for name in ("files", "ignores"))
    return evolve(rule, files=rule.files or files, ignores=rule.ignores or ignores)


def _check_new(rule: Rule, known: Mapping[str, Rule]) -> None:
    if rule.id in known:
        raise InvalidRule(f"two rules are called {rule.id}: give one of them another id")


def _unread(entry: _Entry, reason: str, document: Document) -> UnreadRule:
    """Return a rule that cannot be read, with as much of its scope as is written."""
    raw = entry.raw
    name = text_of(raw.get("id"))[:100]
    return UnreadRule(
        what=f"rule {name}" if name else f"the rule in line {entry.line}",
        reason=reason,
        line=entry.line,
        language=text_of(raw.get("language")),
        files=texts(raw.get("files")) or texts(document.matter.get("files")),
        ignores=texts(raw.get("ignores")) or texts(document.matter.get("ignores")),
    )


def _entries(document: Document) -> Iterator[_Entry | UnreadRule]:
    """Return the rules of each place that has some, as they are written."""
    yield from _of_matter(document)
    for block in blocks(document):
        if block.words[:1] in (("yaml",), ("yml",)):
            if "ast-grep" in block.words:
                yield from _of_block(block, _syntax)
            elif "policy" in block.words:
                yield from _of_block(block, _imports)


def _of_matter(document: Document) -> Iterator[_Entry | UnreadRule]:
    policy = document.matter.get("policy")
    line = 1 + document.text[: max(document.text.find("policy:"), 0)].count("\n")
    broken = any(problem.rule == "yaml" for problem in document.problems)
    if broken and "policy" in document.matter and not isinstance(policy, Mapping):
        yield UnreadRule(what="the policy in the front matter", reason="the front matter is no YAML", line=line)
    elif isinstance(policy, Mapping) and "imports" in policy:
        try:
            yield from _policies(policy, line)
        except InvalidRule as error:
            yield UnreadRule(what="the policy in the front matter", reason=str(error), line=line)


def _of_block(block: Block, entries: Callable[[object, int], Iterator[_Entry]]) -> Iterator[_Entry | UnreadRule]:
    """Return what a block holds; of one that is no YAML nobody knows what its rules are for."""
    empty = True
    try:
        for value, line in documents_of(block.text):
            empty = False
            yield from entries(value, block.line + line)
    except InvalidRule as error:
        yield UnreadRule(what=f"the rules in line {block.line}", reason=str(error), line=block.line)
        return
    if empty:
        line = block.line - 1  # that of the fence
        yield UnreadRule(
            what=f"the block in line {line}", reason="it is empty: write a rule, or take it out", line=line
        )


def _syntax(value: object, line: int) -> Iterator[_Entry]:
    for raw in mappings(value, "the rule"):
        if raw.get("severity") != "off":
            yield _Entry(raw, line, _rule)


def _rule(raw: Mapping[str, Any], line: int) -> Rule:
    if not isinstance(raw.get("rule"), Mapping):
        raise InvalidRule(f"{raw.get('id') or 'a rule'} has no mapping `rule`: see ast-grep's reference of rules")
    fix = raw.get("fix")
    return Rule(
        id=_id(raw),
        language=_language(raw, required=True),
        severity=_severity(raw),
        message=text_of(raw.get("message")) or f"{_id(raw)} is broken",
        note=text_of(raw.get("note")),
        fix=text_of(fix.get("template") if isinstance(fix, Mapping) else fix),
        config={name: raw[name] for name in _MATCHED if raw.get(name) is not None},
        line=line,
        **_common(raw),
    )


def _imports(value: object, line: int) -> Iterator[_Entry]:
    for raw in mappings(value, "the policy"):
        inner = raw.get("policy", raw)
        yield from _policies(inner if isinstance(inner, Mapping) else {}, line)


def _policies(policy: Mapping[str, Any], line: int) -> Iterator[_Entry]:
    for number, raw in enumerate(mappings(policy.get("imports"), "policy.imports"), 1):
        yield _Entry({"id": f"imports-{number}"} | dict(raw), line, _policy)


def _policy(raw: Mapping[str, Any], line: int) -> Rule:
    disallow, prefer = texts(raw.get("disallow")), _prefer(raw.get("prefer"))
    if not disallow and not any(prefer):
        raise InvalidRule("policy.imports disallows nothing: write disallow: [name]")
    imports = Imports(
        disallow=(*disallow, *(old for old in prefer if old and old not in disallow)),
        allow=texts(raw.get("allow")),
        prefer=prefer,
    )
    return Rule(
        id=_id(raw),
        language=_language(raw, required=False),
        severity=_severity({"severity": "error"} | dict(raw)),
        message=text_of(raw.get("message")),
        note=text_of(raw.get("note")),
        imports=imports,
        line=line,
        **_common(raw),
    )


def _prefer(value: object) -> dict[str, str]:
    """Read what to import instead: `{old: new}`, or names that stand for all that is disallowed."""
    if isinstance(value, Mapping):
        return {str(old): str(new) for old, new in value.items()}
    return {"": " or ".join(texts(value))} if value else {}


def _common(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "files": texts(raw.get("files")),
        "ignores": texts(raw.get("ignores")),
        "valid": _samples(raw.get("valid")),
        "invalid": _samples(raw.get("invalid")),
    }


def _samples(value: object) -> tuple[Sample, ...]:
    found = value if isinstance(value, list) else [] if value is None else [value]
    return tuple(
        Sample(code=str(one.get("code", "")), path=text_of(one.get("path")), language=text_of(one.get("language")))
        if isinstance(one, Mapping)
        else Sample(code=str(one))
        for one in found
    )


def _id(raw: Mapping[str, Any]) -> str:
    found = text_of(raw.get("id"))
    if not _ID.fullmatch(found):
        raise InvalidRule(f"{found[:50]!r} is no id: write letters, digits and -, at most 100")
    return found


def _language(raw: Mapping[str, Any], *, required: bool) -> str:
    written = text_of(raw.get("language"))
    if not written and not required:
        return ""
    found = language_of(written)
    if found is None:
        raise InvalidRule(f"{raw.get('id') or 'a rule'}: no grammar for the language {written[:50]!r}")
    return found


def _severity(raw: Mapping[str, Any]) -> str:
    written = text_of(raw.get("severity")).lower()
    if written not in _SEVERITIES:
        raise InvalidRule(f"{raw.get('id') or 'a rule'}: {written[:50]!r} is no severity: write error or warning")
    return _SEVERITIES[written]
