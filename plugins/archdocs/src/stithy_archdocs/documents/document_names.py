# ruff: noqa: RUF001 -- people write these dashes
"""Names of documents: title, numbers, URI, and everything else that refers to them."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from stithy_archdocs.document_models import DocumentKind, Section
from stithy_archdocs.documents.document_locations import get_markup

SCHEME = "architecture://"
_SAFE = "/-._~!$&'()*+,;=:@"
_DATED = re.compile(r"^((?:19|20)\d\d-?\d\d-?\d\d)(?:[-_. ]|$)")
_NUMBERED = re.compile(
    r"^(?:(?P<prefix>[a-z]{1,12}(?:[-_][a-z]{1,12}){0,3})[-_ ]?)?(?P<number>\d{1,8})(?![\d])(?P<rest>.*)$",
    re.IGNORECASE,
)
_PREFIXES = re.compile(
    r"^(?:[a-z]+[-_])*?(?:adr|rfc|xep|pep|kep|oep|ddr|dr|decision|record|tdr)(?:[-_][a-z]+)?$", re.IGNORECASE
)
_IN_TITLE = re.compile(
    r"^[\W_]*(?P<word>(?:[a-z]{2,10}[-_ ])?(?:adr|rfc|pep|kep|oep|xep|decision(?: record)?|architectur\w+"
    r" decision record))s?"
    r"(?:[-_ ]?(?:no\.? ?)?#?(?P<number>\d{1,8})(?![\w])\s*[:.)\]–—-]*|\]?\s*(?:[:)–—]|-\s))\s*",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^\s*\[?#?(?P<number>\d{1,8}|[nxN]{1,4}(?=\.))\]?(?:\s*[.:)–—-]\s*|\s+(?=[A-Z]))")
_MARKUP = re.compile(r"\\([!-/:-@\[-`{-~])|\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|<[^>]*>|[*`]|\{#[^}]*\}")
"""Matches markup in a heading; what stays is in its groups: a character behind a backslash, or the text of a link."""
_LONGEST = 2_000
"""Characters of a heading up to which its markup is removed."""
_LABEL = re.compile(r"^\.\. _`?([^`:\n]+)`?:[ \t]*$", re.MULTILINE)
_STANDARD = re.compile(
    r"(?:status|context(?: and problem statement)?|decision|summary|(?:table of )?contents)\W*", re.IGNORECASE
)
_HEADS = ("readme", "index")


def parse_title(sections: tuple[Section, ...], given: object, below: str) -> str:
    """Return the first heading without its number, else the title in the front matter, else the file name."""
    first = next((section.headings[-1] for section in sections if section.headings), "")
    depth = next((len(section.headings) for section in sections if section.headings), 0)
    own = _remove_markup(first).strip() if depth == 1 else ""
    bare = _strip_number(own)
    standard = bool(_STANDARD.fullmatch(bare))
    if bare and not standard:
        return bare
    if isinstance(given, str) and given.strip():
        given = " ".join(given.split())
        return _strip_number(given) or given
    return own if own and not standard else _make_title(below)


def _remove_markup(heading: str) -> str:
    """Return the text of a heading; one of many thousand brackets, which takes long, stays as it is."""
    return heading if len(heading) > _LONGEST else _MARKUP.sub(r"\1\2", heading)


def parse_title_number(sections: tuple[Section, ...], given: object) -> str:
    """Return the number in the title, without leading zeros; empty if it has none."""
    first = next((section.headings[-1] for section in sections if section.headings), "")
    for text in (first, given if isinstance(given, str) else ""):
        plain = _remove_markup(text)
        found = _IN_TITLE.match(plain)
        number = found["number"] if found and found["number"] else None
        if number is None and (leading := _LEADING.match(plain)) and leading["number"].isdigit():
            number = leading["number"]
        if number is not None:
            return number.lstrip("0") or "0"
    return ""


def parse_file_number(below: str) -> str:
    """Return the number in the file name, or in the folder name of a README; a date does not count."""
    stem = _get_stem(below)
    if _DATED.match(stem):
        return ""
    found = _NUMBERED.match(stem)
    if found is None or (found["prefix"] and not _PREFIXES.match(found["prefix"])):
        return ""
    if re.match(r"^\.\d", found["rest"]) or (found["rest"] and found["rest"][0].isalpha() and not found["prefix"]):
        return ""
    return found["number"].lstrip("0") or "0"


def list_names(below: str, numbers: Iterable[str], matter: dict[str, object], text: str) -> tuple[str, ...]:
    """Return all names by which a document can be requested; the path below its location comes first."""
    bare = str(PurePosixPath(below).with_suffix(""))
    stem = _get_stem(below)
    dated = _DATED.match(stem)
    numbered = _NUMBERED.match(stem)
    slug = (
        stem[dated.end() :]
        if dated
        else numbered["rest"].strip("-_. ")
        if numbered and parse_file_number(below)
        else stem
    )
    names = [below, bare, stem, slug]
    if PurePosixPath(bare).name.lower() in _HEADS and "/" in bare:
        names.append(bare.rpartition("/")[0])
    for number in numbers:
        names += [
            number,
            number.zfill(3),
            number.zfill(4),
            f"adr-{number}",
            f"adr-{number.zfill(3)}",
            f"adr-{number.zfill(4)}",
        ]
    given = matter.get("id")
    names += [given] if isinstance(given, str) else []
    if get_markup(below) == "rst":
        names += _LABEL.findall(text)
    return tuple(dict.fromkeys(_to_lower(name.strip()) for name in names if name and name.strip()))


def _to_lower(name: str) -> str:
    """Return a name in lower case: itself if it is, so that it takes memory only once."""
    lower = name.lower()
    return name if name == lower else lower


def make_uri(kind: DocumentKind, path: str) -> str:
    """Build the URI of a path."""
    return f"{SCHEME}{kind.value}/{quote(path, safe=_SAFE)}"


def parse_uri(uri: str) -> tuple[DocumentKind, str] | None:
    """Parse a URI to a kind and a name; None if it is not a document URI."""
    kind, slash, name = uri.removeprefix(SCHEME).partition("/")
    if not uri.startswith(SCHEME) or not slash or kind not in [one.value for one in DocumentKind]:
        return None
    return DocumentKind(kind), unquote(name)


def _get_stem(below: str) -> str:
    path = PurePosixPath(below)
    if path.stem.lower() in _HEADS and path.parent.name:
        return path.parent.name
    return path.stem


def _strip_number(title: str) -> str:
    shorter = _IN_TITLE.sub("", title, count=1)
    if shorter == title:
        return _LEADING.sub("", title, count=1).strip()
    return re.sub(r"^\d{1,8}\s*[.:)–—-]+\s*", "", shorter).strip()


def _make_title(below: str) -> str:
    stem = _get_stem(below)
    cut = _DATED.sub("", stem, count=1)
    found = _NUMBERED.match(stem)
    if cut == stem and found and parse_file_number(below):
        cut = found["rest"].strip("-_. ") or stem
    words = re.sub(r"[-_\s]+", " ", cut).strip()
    return words[:1].upper() + words[1:] if words else stem
