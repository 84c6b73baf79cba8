"""Find the document that a pattern name means."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.documents.document_names import parse_uri
from stithy_archdocs.documents.name_suggestions import find_left_out, format_unread, get_uri_name, suggest_names
from stithy_archdocs.rules.project_files import ProjectFiles
from stithy_archdocs.rules.rule_files import is_rule_file, load_rule_file
from stithy_archdocs.rules.rule_values import InvalidRule
from stithy_archdocs.rules.rulebook import Rulebook, RuleSet, carries_rules
from stithy_core.spi import InvalidArguments, Scope

SHOWN = 10


def find_pattern(snapshot: DocumentSnapshot, name: str) -> Document:
    """Return a pattern by name, path or URI; guidelines and decision records may have rules as well.

    Raises:
        InvalidArguments: No document matches, or several do; the message names them.
    """
    for found in _find_candidates(snapshot, name):
        if len(found) == 1:
            return found[0]
        if found:
            uris = ", ".join(document.uri for document in found[:SHOWN])
            raise InvalidArguments(
                f"ambiguous pattern name {name[:100]!r}; matches {uris}", suggestion="Pass one of the URIs."
            )
    if left := find_left_out(snapshot, name):
        raise InvalidArguments(f"{left.path} was not read: {left.message}", suggestion="Correct that, then try again.")
    nearest = [_strip_suffix(one) for one in suggest_names(snapshot, DocumentKind.PATTERN, name)]
    others = [_strip_suffix(get_uri_name(document)) for document in snapshot.list_kind(DocumentKind.PATTERN)]
    told = f"Did you mean {', '.join(nearest)}?" if nearest else f"Available: {', '.join(others[:SHOWN])}."
    suggestion = (
        told if others else "The project has no patterns. Set [archdocs] patterns in stithy.toml to their location."
    )
    raise InvalidArguments(f"unknown pattern {name[:100]!r}", suggestion=suggestion + format_unread(snapshot))


def load_rule_sets(scope: Scope, snapshot: DocumentSnapshot, names: Sequence[str]) -> list[RuleSet]:
    """Return the rules of documents and of files such as `sgconfig.yml`; without names those of all documents.

    Raises:
        InvalidArguments: A name matches no document and no file of rules.
    """
    book = scope.shared(Rulebook)
    if not names:
        sets = [book.get_rules(one) for _, one in sorted(snapshot.documents.items()) if carries_rules(one)]
        return [one for one in sets if one.rules or one.unread or one.disabled]
    return [find_rules(scope, snapshot, name) for name in names]


def find_rules(scope: Scope, snapshot: DocumentSnapshot, name: str) -> RuleSet:
    """Return the rules of a document, or of a file of rules in the project.

    Raises:
        InvalidArguments: No document matches and no file has rules, or several documents match.
    """
    try:
        return scope.shared(Rulebook).get_rules(find_pattern(snapshot, name))
    except InvalidArguments:
        if not is_rule_file(name):
            raise
    try:
        return load_rule_file(ProjectFiles(root=scope.shared(Library).root), name.removeprefix("./"))
    except InvalidRule as error:
        raise InvalidArguments(str(error), suggestion="Name a pattern, or a file with rules.") from error


def _find_candidates(snapshot: DocumentSnapshot, name: str) -> Sequence[Sequence[Document]]:
    if "://" in name:
        asked = parse_uri(name.strip())
        exact = [document for document in snapshot.documents.values() if document.uri == name.strip()]
        return [exact, snapshot.find_named(*asked) if asked else ()]
    of_path = snapshot.documents.get(name.strip().removeprefix("./"))
    if of_path:
        return [[of_path]]
    return [
        snapshot.find_named(kind, name) for kind in (DocumentKind.PATTERN, DocumentKind.GUIDELINE, DocumentKind.ADR)
    ]


def _strip_suffix(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(""))
