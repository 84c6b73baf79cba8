"""Plan new records, acceptances and supersessions; nothing is written here."""

import datetime as dt
import posixpath
from collections.abc import Sequence

from attrs import frozen

from stithy_archdocs.authoring.folder_style import FolderStyle, find_next_number, find_style, get_folder, list_folders
from stithy_archdocs.authoring.record_changes import RecordChange, locate, read_back
from stithy_archdocs.authoring.record_skeleton import RecordDraft, draft_record
from stithy_archdocs.authoring.record_titles import check_title
from stithy_archdocs.authoring.status_editing import add_relation, make_edit_error, states_relation, write_status
from stithy_archdocs.document_models import DecisionState, Document, DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.documents.document_locations import list_locations
from stithy_archdocs.documents.name_suggestions import suggest_names
from stithy_core.spi import InvalidArguments

_OPEN = (DecisionState.PROPOSED, DecisionState.DRAFT, DecisionState.ON_HOLD, DecisionState.UNKNOWN)


@frozen
class Plan:
    """Planned changes.

    Args:
        changes: The changes.
        messages: What each of them means; without changes, why there are none.
        folder: Path of the folder of records, in which one process at a time writes.
    """

    changes: Sequence[RecordChange]
    messages: Sequence[str]
    folder: str = ""


@frozen(kw_only=True)
class NewRecord:
    """A record to write.

    Args:
        title: Its title.
        supersedes: Names of the records that it supersedes.
        folder: Path of its folder; empty to choose it.
        status: `proposed` or `accepted`; None for accepted if it supersedes records, which it does from then on.
        template: `nygard` or `madr`, instead of the form of the folder; None for that.
        today: Its date.
    """

    title: str
    supersedes: Sequence[str] = ()
    folder: str = ""
    status: str | None = None
    template: str | None = None
    today: dt.date


def plan_record(library: Library, wanted: NewRecord) -> Plan:
    """Plan a new record, and the other side of what it supersedes.

    Raises:
        InvalidArguments: The title, the folder or a superseded record is not valid.
        UserError: A superseded record must be edited by hand.
    """
    desk = _Desk(library)
    title = check_title(wanted.title)
    earlier = [find_record(desk.snapshot, name) for name in wanted.supersedes]
    folder = _choose_folder(desk, wanted.folder, earlier)
    style = find_style(desk.snapshot, folder)
    number = find_next_number(library.root, desk.snapshot, folder)
    path = style.make_path(title, number, wanted.today)
    desk.write(
        path, draft_record(style, RecordDraft(title=title, number=number, today=wanted.today), wanted.template or "")
    )
    status = wanted.status or ("accepted" if earlier else "proposed")
    decision = desk.get(path).decision
    if decision and decision.status.form not in ("none", "default"):  # some folders have no statuses
        desk.set_status(path, status)
    for one in earlier:
        desk.link(path, one.path, both=status == "accepted")
    return desk.make_plan({path: f"created, {status}"})


def plan_acceptance(library: Library, name: str) -> Plan:
    """Plan that a record is accepted, and that those that it supersedes say so.

    Raises:
        InvalidArguments: No single record has the name, or the record was superseded, rejected or deprecated.
        UserError: A record must be edited by hand.
    """
    desk = _Desk(library)
    record = find_record(desk.snapshot, name)
    state = record.decision.status.state if record.decision else DecisionState.UNKNOWN
    if state in _OPEN:
        desk.set_status(record.path, "accepted")
    elif not state.is_live:
        what = f"{record.path} is {state.value}, so it cannot be accepted"
        raise InvalidArguments(what, suggestion="Write a new record, which may supersede it.")
    for link in record.decision.get_links("supersedes") if record.decision else ():
        if link.target and not link.partial:
            desk.link(record.path, link.target)
    return (
        desk.make_plan({record.path: "accepted"})
        if desk.texts
        else Plan((), [f"{record.path} is {state.value} already"])
    )


def plan_supersession(library: Library, old: str, new: str) -> Plan:
    """Plan that a record is superseded by another one, on both sides.

    Raises:
        InvalidArguments: No single record has a name, or both are the same.
        UserError: A record must be edited by hand.
    """
    desk = _Desk(library)
    earlier, later = find_record(desk.snapshot, old), find_record(desk.snapshot, new)
    if earlier.path == later.path:
        raise InvalidArguments(f"{earlier.path} cannot supersede itself", suggestion="Name two records.")
    desk.link(later.path, earlier.path)
    said = f"{earlier.path} is superseded by {later.path} already"
    return desk.make_plan({}) if desk.texts else Plan((), [said])


def find_record(snapshot: DocumentSnapshot, name: str) -> Document:
    """Return a decision record by number, name or path.

    Raises:
        InvalidArguments: No record matches, or several do; the message names them.
    """
    path = snapshot.documents.get(name.strip().removeprefix("./"))
    if path is not None and path.kind is DocumentKind.ADR:
        return path
    found = snapshot.find_named(DocumentKind.ADR, name)
    if len(found) == 1:
        return found[0]
    if found:
        paths = ", ".join(one.path for one in found[:10])
        raise InvalidArguments(f"ambiguous record {name[:100]!r}; matches {paths}", suggestion="Pass one of the paths.")
    near = ", ".join(suggest_names(snapshot, DocumentKind.ADR, name))
    suggestion = f"Did you mean {near}?" if near else "`stithy adr graph` shows all records."
    raise InvalidArguments(f"unknown record {name[:100]!r}", suggestion=suggestion)


def _choose_folder(desk: "_Desk", asked: str, earlier: Sequence[Document]) -> str:
    """Return the folder of a new record: that of a superseded one, else the one with most records, else a location."""
    if asked:
        return posixpath.normpath(asked.replace("\\", "/"))
    if earlier:
        return get_folder(earlier[0])
    folders = list_folders(desk.snapshot)
    if folders:
        return max(sorted(folders), key=lambda one: folders[one])
    places = [one for one in list_locations(desk.library.settings, desk.library.root) if one.kind is DocumentKind.ADR]
    if not places:
        raise InvalidArguments(
            "no location of decision records is set", suggestion="Set [archdocs] adr in stithy.toml."
        )
    named = places[-1:] if (desk.library.root / ".adr-dir").is_file() else places[:1]
    return next((one.folder for one in places if (desk.library.root / one.folder).is_dir()), named[0].folder)


class _Desk:
    """The records as they will be; each write is read back at once."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.original = self.snapshot = library.refresh()
        self.texts: dict[str, tuple[DocumentFile, str]] = {}

    def get(self, path: str) -> Document:
        return self.snapshot.documents[path]

    def write(self, path: str, text: str) -> None:
        found = locate(self.library.settings, self.library.root, path)
        self.texts[path] = (found, text)
        self.snapshot = read_back(self.original, self.texts)

    def set_status(self, path: str, status: str) -> None:
        new = path not in self.original.documents
        self.write(path, write_status(self.get(path), status.capitalize(), keep_rest=not new))
        decision = self.get(path).decision
        if decision is None or decision.status.state.value != status:
            raise make_edit_error(self.get(path), "its status is stated in several places")

    def link(self, later: str, earlier: str, *, both: bool = True) -> None:
        """Write that one record supersedes another, on both sides where that is missing."""
        sides = ((later, "supersedes", earlier), (earlier, "superseded_by", later))[: 2 if both else 1]
        for path, relation, other in sides:
            if states_relation(self.get(path), relation, self.get(other)):
                continue
            style = self._find_style(path)
            self.write(path, add_relation(style, self.snapshot, self.get(path), relation, self.get(other)))
            if not states_relation(self.get(path), relation, self.get(other)):
                raise make_edit_error(self.get(path), "the form of its header is not known")
        decision = self.get(earlier).decision
        if both and (decision is None or decision.status.state is not DecisionState.SUPERSEDED):
            raise make_edit_error(self.get(earlier), "its status is stated in several places")

    def _find_style(self, path: str) -> FolderStyle:
        return find_style(self.original, get_folder(self.get(path)))

    def make_plan(self, said: dict[str, str]) -> Plan:
        changes = []
        for path, (_, text) in self.texts.items():
            before = self.original.documents.get(path)
            samples = () if before else self._find_style(path).samples
            like = samples[0].path if samples else ""
            changes.append(RecordChange(path, before.text if before else None, text, like))
        messages = [f"{one.path}: {said.get(one.path) or self._describe(one.path)}" for one in changes]
        return Plan(changes, messages, get_folder(self.get(changes[0].path)))

    def _describe(self, path: str) -> str:
        decision = self.get(path).decision
        links = decision.links if decision else ()
        named = [f"{one.relation.replace('_', ' ')} {one.target}" for one in links if one.target in self.texts]
        return ", ".join(named) or "changed"
