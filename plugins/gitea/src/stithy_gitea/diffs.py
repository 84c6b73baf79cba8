"""The patches of a diff, by file."""

from stithy_core.spi import Maybe, Unknown, parse_diff_path, split_diff_sections

BINARY = Unknown("the file is binary", "Read the file itself.")


def split_patches(diff: bytes, *, whole: bool = True) -> dict[str, Maybe[str]]:
    """Return the hunks of each file by path, the new one for a renamed file; unknown for a binary file.

    Bytes that are not UTF-8 become U+FFFD.

    Args:
        diff: The text.
        whole: Whether the end of the diff is present; the last file is left out otherwise.
    """
    sections = split_diff_sections(diff)
    patches: dict[str, Maybe[str]] = {}
    for header, hunks in sections if whole else sections[:-1]:
        path, patch = _parse_section(header.split(b"\n"), hunks)
        earlier = patches.get(path)
        # A file that becomes a link has two sections: one that deletes it, one that adds it.
        patches[path] = f"{earlier}\n{patch}" if isinstance(earlier, str) and isinstance(patch, str) else patch
    return patches


def _parse_section(header: list[bytes], hunks: bytes) -> tuple[str, Maybe[str]]:
    paths = [path for line in header if (path := parse_diff_path(line))]
    path = paths[-1] if paths else ""
    if any(line.startswith((b"Binary files ", b"GIT binary patch")) for line in header):
        return path, BINARY
    return path, hunks.decode(errors="replace").removesuffix("\n")
