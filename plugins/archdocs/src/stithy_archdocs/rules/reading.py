"""From a document to its rules: fenced `yaml ast-grep` and `yaml policy`, and `policy` of its front matter."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from stithy_archdocs.records import Document, Problem
from stithy_archdocs.rules.blocks import blocks
from stithy_archdocs.rules.languages import language_of
from stithy_archdocs.rules.records import Block, Imports, Rule, Sample
from stithy_archdocs.rules.values import InvalidRule, documents_of, mappings, text_of, texts

MOST = 200
"""Rules of one document."""
_SEVERITIES = {"error": "error", "warning": "warning", "info": "warning", "hint": "warning", "": "warning"}
_MATCHED = ("rule", "constraints", "utils", "transform")
_ID = re.compile(r"[\w.:/@-]{1,100}")


@frozen
class Read:
    """What a document has: rules that can be read, and what is wrong with the others."""

    rules: tuple[Rule, ...]
    problems: tuple[Problem, ...]


def read(document: Document) -> Read:
    """Read the rules of a document; one that cannot be read is a problem, and costs no other."""
    rules: dict[str, Rule] = {}
    problems: list[Problem] = []
    for line, make in _makers(document):
        try:
            for rule in make():
                _check_new(rule, rules)
                rules[rule.id] = _within(rule, document)
        except InvalidRule as error:
            problems.append(
                Problem(rule="invalid-rule", message=str(error), path=document.path, line=line, severity="error")
            )
    return Read(tuple(rules.values()), tuple(problems))


def _within(rule: Rule, document: Document) -> Rule:
    """Give a rule the globs of its document, where it has none of its own."""
    files, ignores = (texts(document.matter.get(name)) for name in ("files", "ignores"))
    return evolve(rule, files=rule.files or files, ignores=rule.ignores or ignores)


def _check_new(rule: Rule, known: Mapping[str, Rule]) -> None:
    if rule.id in known:
        raise InvalidRule(f"two rules are called {rule.id}: give one of them another id")
    if len(known) >= MOST:
        raise InvalidRule(f"a document has at most {MOST} rules: part it")


def _makers(document: Document) -> Iterator[tuple[int, Callable[[], Iterator[Rule]]]]:
    """Give what makes the rules of each place that has some, with its line."""
    policy = document.matter.get("policy")
    if isinstance(policy, Mapping) and "imports" in policy:
        line = 1 + document.text[: max(document.text.find("policy:"), 0)].count("\n")
        yield line, lambda: _policies(policy, line)
    for block in blocks(document):
        if block.words[:1] in (("yaml",), ("yml",)):
            if "ast-grep" in block.words:
                yield block.line, lambda block=block: _syntax(block)  # type: ignore[misc]
            elif "policy" in block.words:
                yield block.line, lambda block=block: _imports(block)  # type: ignore[misc]


def _syntax(block: Block) -> Iterator[Rule]:
    for value, line in documents_of(block.text):
        for raw in mappings(value, "the rule"):
            if raw.get("severity") == "off":
                continue
            yield _rule(raw, block.line + line)


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


def _imports(block: Block) -> Iterator[Rule]:
    for value, line in documents_of(block.text):
        for raw in mappings(value, "the policy"):
            inner = raw.get("policy", raw)
            yield from _policies(inner if isinstance(inner, Mapping) else {}, block.line + line)


def _policies(policy: Mapping[str, Any], line: int) -> Iterator[Rule]:
    for number, raw in enumerate(mappings(policy.get("imports"), "policy.imports"), 1):
        disallow, prefer = texts(raw.get("disallow")), _prefer(raw.get("prefer"))
        if not disallow and not any(prefer):
            raise InvalidRule("policy.imports disallows nothing: write disallow: [name]")
        imports = Imports(
            disallow=(*disallow, *(old for old in prefer if old and old not in disallow)),
            allow=texts(raw.get("allow")),
            prefer=prefer,
        )
        yield Rule(
            id=_id(raw) if raw.get("id") else f"imports-{number}",
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
