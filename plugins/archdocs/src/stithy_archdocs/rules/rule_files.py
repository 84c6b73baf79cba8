"""Rules that a project has in files already: of ast-grep, of semgrep and of import-linter."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from attrs import evolve, field, frozen

from stithy_archdocs.document_models import Document, DocumentKind, DocumentText
from stithy_archdocs.documents.path_characters import UNSAFE_NAME
from stithy_archdocs.rules.import_linter_rules import has_contracts, iterate_contracts
from stithy_archdocs.rules.languages import find_language
from stithy_archdocs.rules.project_files import ProjectFiles
from stithy_archdocs.rules.rule_models import Rule, RuleSample, UnreadRule
from stithy_archdocs.rules.rule_parser import load_documents, parse_syntax_rule
from stithy_archdocs.rules.rule_values import InvalidRule, to_mappings, to_text, to_texts
from stithy_archdocs.rules.rulebook import DisabledRule, RuleSet, check_samples
from stithy_archdocs.rules.semgrep_rules import translate_rule
from stithy_archdocs.rules.semgrep_tests import find_test_faults

_ENDINGS = (".yml", ".yaml")
_NOT_KNOWN = ("customLanguages", "languageGlobs", "languageInjections")
_NOT_USED = ("rewriters",)


@frozen
class _Collected:
    """Rules, those that cannot be used, samples by rule id, and shared utilities by language."""

    rules: list[Rule] = field(factory=list)
    unread: list[UnreadRule] = field(factory=list)
    samples: dict[str, tuple[tuple[RuleSample, ...], tuple[RuleSample, ...]]] = field(factory=dict)
    utils: dict[str, dict[str, Any]] = field(factory=dict)
    faults: dict[str, str] = field(factory=dict)

    def add(self, what: str, line: int, make: Callable[[], Rule | Iterable[Rule]]) -> None:
        """Add rules, or the reason why they cannot be used."""
        try:
            made = make()
            self.rules.extend([made] if isinstance(made, Rule) else made)
        except InvalidRule as error:
            self.unread.append(UnreadRule(what=what, reason=str(error), line=line))


def is_rule_file(path: str) -> bool:
    """Return whether a path may be a file with rules, or a folder of them."""
    return path.endswith((*_ENDINGS, ".toml", ".importlinter", ".cfg", "/"))


def load_rule_file(files: ProjectFiles, path: str) -> RuleSet:
    """Load the rules of a file: `sgconfig.yml`, rules of ast-grep or semgrep, contracts of import-linter.

    Args:
        files: The project.
        path: Path of the file, or of a folder of such files with a slash at its end.

    Raises:
        InvalidRule: The file does not exist, or has no rules.
    """
    found = _Collected()
    if path.endswith("/"):
        for one in _list_folder(files, path):
            _read_tested_rules(files, one, found)
    elif not files.read(path):
        raise InvalidRule(f"no file with rules {path[:100]!r}: {files.unread.get(path, 'the file is empty')}")
    else:
        _read_file(files, path, found)
    for one, reason in files.unread.items():
        if reason != UNSAFE_NAME:  # it may be anywhere in the project
            found.unread.append(UnreadRule(what=one, reason=reason, line=1))
    if not found.rules and not found.unread:
        raise InvalidRule(f"{path} has no rules of ast-grep, semgrep or import-linter")
    rules = [_complete(rule, found) for rule in found.rules]
    content = DocumentText.pack("", ())
    document = Document(
        path=path, uri=path, kind=DocumentKind.PATTERN, title=path, names=(path,), content=content, matter={}
    )
    used, disabled, problems = check_samples(document, rules)
    disabled += [DisabledRule(one, found.faults[one.id]) for one in used if one.id in found.faults]
    used = [one for one in used if one.id not in found.faults]
    return RuleSet(document, tuple(used), tuple(disabled), tuple(found.unread), tuple(problems))


def _list_folder(files: ProjectFiles, folder: str) -> Iterator[str]:
    return (one for one in files.list_folder(posixpath.normpath(folder)) if one.endswith(_ENDINGS))


def _read_file(files: ProjectFiles, path: str, found: _Collected) -> None:
    text = files.read(path)
    if has_contracts(path, text):
        for name, make in iterate_contracts(path, text):
            found.add(f"contract {name}", 1, make)
        return
    values = [value for value, _ in load_documents(text)] if path.endswith(_ENDINGS) else []
    if len(values) == 1 and isinstance(values[0], Mapping) and "ruleDirs" in values[0]:
        _read_sgconfig(files, posixpath.dirname(path), values[0], found)
    else:
        _read_tested_rules(files, path, found)


def _read_tested_rules(files: ProjectFiles, path: str, found: _Collected) -> None:
    """Read a file of rules, and what the tests beside it show about them."""
    before = len(found.rules)
    _read_rules(files.read(path), found)
    found.faults.update(find_test_faults(files, path, found.rules[before:]))


def _read_sgconfig(files: ProjectFiles, base: str, config: Mapping[str, Any], found: _Collected) -> None:
    for key in _NOT_KNOWN:
        if config.get(key):
            found.unread.append(UnreadRule(what=key, reason=f"{key} of sgconfig is not used", line=1))
    for folder in to_texts(config.get("utilDirs")):
        for path in _list_folder(files, posixpath.join(base, folder) + "/"):
            _read_utils(files.read(path), found)
    for folder in to_texts(config.get("ruleDirs")):
        _read_rule_folder(files, posixpath.join(base, folder), found)
    for row in to_mappings(config.get("testConfigs") or [], "testConfigs"):
        for path in _list_folder(files, posixpath.join(base, to_text(row.get("testDir"))) + "/"):
            if "__snapshots__" not in path:
                _read_samples(files.read(path), found)


def _read_rule_folder(files: ProjectFiles, folder: str, found: _Collected) -> None:
    paths = list(_list_folder(files, f"{folder}/"))
    if not paths:
        found.unread.append(UnreadRule(what="ruleDirs", reason=f"no file of rules is in {folder[:100]}", line=1))
    for path in paths:
        _read_rules(files.read(path), found)


def _read_rules(text: str, found: _Collected) -> None:
    try:
        for value, line in load_documents(text):
            for raw in to_mappings(value, "the rule"):
                if isinstance(raw.get("rules"), list):
                    for one in to_mappings(raw["rules"], "the rule"):
                        found.add(f"rule {to_text(one.get('id'))}", line + 1, partial(translate_rule, one, 1))
                elif "rule" in raw and raw.get("severity") != "off":
                    found.add(f"rule {to_text(raw.get('id'))}", line + 1, partial(_read_syntax_rule, raw))
    except InvalidRule as error:
        found.unread.append(UnreadRule(what="a file of rules", reason=str(error), line=1))


def _read_syntax_rule(raw: Mapping[str, Any]) -> Rule:
    for key in _NOT_USED:
        if raw.get(key):
            raise InvalidRule(f"{key} of ast-grep are not used")
    return parse_syntax_rule(raw, 1)


def _read_utils(text: str, found: _Collected) -> None:
    for value, _ in load_documents(text):
        if isinstance(value, Mapping) and isinstance(value.get("rule"), Mapping):
            language = find_language(to_text(value.get("language"))) or ""
            found.utils.setdefault(language, {})[to_text(value.get("id"))] = value["rule"]


def _read_samples(text: str, found: _Collected) -> None:
    for value, _ in load_documents(text):
        if isinstance(value, Mapping) and value.get("id"):
            valid, invalid = (
                tuple(RuleSample(code=one) for one in to_texts(value.get(key))) for key in ("valid", "invalid")
            )
            found.samples[to_text(value["id"])] = valid, invalid


def _complete(rule: Rule, found: _Collected) -> Rule:
    """Return a rule with its samples and the utilities that all rules share."""
    valid, invalid = found.samples.get(rule.id, ((), ()))
    config = rule.config
    if config is not None and (shared := found.utils.get(rule.language)):
        config = {**config, "utils": {**shared, **config.get("utils", {})}}
    return evolve(rule, config=config, valid=(*rule.valid, *valid), invalid=(*rule.invalid, *invalid))
