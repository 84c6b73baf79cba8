"""Plan the entries of the server in the files of hosts."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stithy_core.agent_hosts import NAMED
from stithy_init.documents import InvalidDocument, parse_document, set_entry
from stithy_init.file_changes import FileChange
from stithy_init.host_setups import SERVER, HostSetup, Machine, Scope
from stithy_init.plain_data import find_value

REMOTE = ("url", "httpUrl", "serverUrl")
"""Keys of an entry that connects to a server over HTTP."""


def plan_entries(
    setups: Iterable[HostSetup],
    machine: Machine,
    scope: Scope,
    command: Sequence[str],
    variables: tuple[Sequence[str], Sequence[str]],
) -> tuple[list[FileChange], dict[str, str]]:
    """Plan the change of each host's file; hosts that share a file share its change.

    Args:
        setups: The hosts.
        machine: Where the files are.
        scope: The scope of the files; hosts without a file of it are among the errors.
        command: The program and its arguments.
        variables: The variables that have tokens, and others that the server reads.

    Returns:
        The changes, and by title of a host why its file cannot be changed.
    """
    changes: dict[Path, FileChange] = {}
    errors: dict[str, str] = {}
    for setup in setups:
        path = setup.find_file(machine, scope)
        if path is None:
            errors[setup.title] = f"it has no settings of a {scope}"
            continue
        try:
            change = changes.get(path) or FileChange.read(path, setup.form, (setup.key, SERVER), scope == "user")
            entry = setup.create_entry(command, setup.select_variables(*variables))
            changes[path] = change.with_text(_set_server(change.text, setup, entry, command), setup.name)
        except InvalidDocument as error:
            errors[setup.title] = f"{path} was not changed: {error}"
    return list(changes.values()), errors


def _set_server(text: str, setup: HostSetup, entry: Mapping[str, Any], command: Sequence[str]) -> str:
    """Return the text of a file with the entry of the server.

    Raises:
        InvalidDocument: The file cannot be edited, or its entry is of another kind.
    """
    data = parse_document(text, setup.form)
    place: tuple[str, ...] = (setup.key, SERVER)
    try:
        present = find_value(data, place)
    except ValueError:
        raise InvalidDocument(f"{setup.key} in it has another form") from None
    if isinstance(present, Mapping):
        if any(key in present for key in REMOTE):
            raise InvalidDocument(f"{setup.key}.{SERVER} in it connects to a server over HTTP")
        entry = merge_entry(present, entry, keeps_arguments=len(command) == 2)  # noqa: PLR2004 -- program and `serve`
    value: Any = entry
    if setup.is_list and find_value(data, (setup.key,)) is None:
        place, value = (setup.key,), [entry]
    rows = [(place, value)]
    if not data:
        beginning = [((key,), each) for key, each in setup.beginning.items()]
        # New members come first in JSON, and last in YAML.
        rows = [*rows, *reversed(beginning)] if setup.form == "json" else [*beginning, *rows]
    for path, each in rows:
        text = set_entry(text, setup.form, path, each)
    return text


def merge_entry(present: Mapping[str, Any], entry: Mapping[str, Any], *, keeps_arguments: bool) -> dict[str, Any]:
    """Return an entry that starts this program, with everything else that the user chose.

    Args:
        present: The entry in the file.
        entry: The entry as `stithy init` writes it.
        keeps_arguments: Whether arguments of `stithy serve` that are there stay.
    """
    merged = {**entry, **present}
    for key in ("command", "cmd", "args", "type"):
        if key not in entry:
            continue
        old, new = present.get(key), entry[key]
        first = new[: new.index("serve")] if isinstance(new, list) else []
        serves = isinstance(old, list) and old[len(first) : len(first) + 1] == ["serve"]
        merged[key] = [*first, *old[len(first) :]] if serves and keeps_arguments and isinstance(old, list) else new
    if isinstance(present.get("env"), Mapping):
        merged["env"] = {**entry.get("env", {}), **present["env"]}
    if isinstance(present.get(NAMED), list):
        merged[NAMED] = list(dict.fromkeys([*present[NAMED], *entry.get(NAMED, ())]))
    return merged


def find_setups(names: Sequence[str], setups: Sequence[HostSetup], machine: Machine) -> list[HostSetup]:
    """Return the hosts of these names; without names, those that the machine has."""
    return [setup for setup in setups if (setup.name in names if names else setup.is_installed(machine))]


def find_project(directory: Path) -> Path:
    """Return the root of the repository that contains a directory, or else the directory."""
    return next((folder for folder in (directory, *directory.parents) if (folder / ".git").exists()), directory)
