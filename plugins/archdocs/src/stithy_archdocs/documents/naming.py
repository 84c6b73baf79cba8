# ruff: noqa: RUF001 -- people write these dashes
"""What a document is called: title, names, numbers, URI."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from stithy_archdocs.records import Kind, Section

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
_MARKUP = re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|<[^>]*>|[*`]|\{#[^}]*\}")
_LABEL = re.compile(r"^\.\. _`?([^`:\n]+)`?:[ \t]*$", re.MULTILINE)
_STANDARD = re.compile(
    r"(?:status|context(?: and problem statement)?|decision|summary|(?:table of )?contents)\W*", re.IGNORECASE
)
_HEADS = ("readme", "index")


def title_of(sections: tuple[Section, ...], given: object, below: str) -> str:
    """Give the first heading without its number, else the title of the front matter, else the file's name."""
    first = next((section.headings[-1] for section in sections if section.headings), "")
    depth = next((len(section.headings) for section in sections if section.headings), 0)
    own = _MARKUP.sub(r"\1", first).strip() if depth == 1 else ""
    bare = _bare(own)
    standard = bool(_STANDARD.fullmatch(bare))
    if bare and not standard:
        return bare
    if isinstance(given, str) and given.strip():
        return _bare(given.strip()) or given.strip()
    return own if own and not standard else _words(below)


def title_number(sections: tuple[Section, ...], given: object) -> str:
    """Give the number that the title has, without leading zeros."""
    first = next((section.headings[-1] for section in sections if section.headings), "")
    for text in (first, given if isinstance(given, str) else ""):
        plain = _MARKUP.sub(r"\1", text)
        found = _IN_TITLE.match(plain)
        number = found["number"] if found and found["number"] else None
        if number is None and (leading := _LEADING.match(plain)) and leading["number"].isdigit():
            number = leading["number"]
        if number is not None:
            return number.lstrip("0") or "0"
    return ""


def file_number(below: str) -> str:
    """Give the number of a file's name, or of its folder's for a README; a date is none."""
    stem = _stem(below)
    if _DATED.match(stem):
        return ""
    found = _NUMBERED.match(stem)
    if found is None or (found["prefix"] and not _PREFIXES.match(found["prefix"])):
        return ""
    if re.match(r"^\.\d", found["rest"]) or (found["rest"] and found["rest"][0].isalpha() and not found["prefix"]):
        return ""
    return found["number"].lstrip("0") or "0"


def names_of(below: str, numbers: Iterable[str], matter: dict[str, object], text: str) -> tuple[str, ...]:
    """Give all by which a document may be asked for; the path under its place comes first."""
    bare = str(PurePosixPath(below).with_suffix(""))
    stem = _stem(below)
    dated = _DATED.match(stem)
    numbered = _NUMBERED.match(stem)
    slug = stem[dated.end() :] if dated else numbered["rest"].strip("-_. ") if numbered and file_number(below) else stem
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
    if below.lower().endswith(".rst"):
        names += _LABEL.findall(text)
    return tuple(dict.fromkeys(name.strip().lower() for name in names if name and name.strip()))


def uri_of(kind: Kind, path: str) -> str:
    """Make the URI of a path."""
    return f"{SCHEME}{kind.value}/{quote(path, safe=_SAFE)}"


def asked_of(uri: str) -> tuple[Kind, str] | None:
    """Say which kind and which name a URI means; None where it is none of ours."""
    kind, slash, name = uri.removeprefix(SCHEME).partition("/")
    if not uri.startswith(SCHEME) or not slash or kind not in [one.value for one in Kind]:
        return None
    return Kind(kind), unquote(name)


def _stem(below: str) -> str:
    path = PurePosixPath(below)
    if path.stem.lower() in _HEADS and path.parent.name:
        return path.parent.name
    return path.stem


def _bare(title: str) -> str:
    shorter = _IN_TITLE.sub("", title, count=1)
    if shorter == title:
        return _LEADING.sub("", title, count=1).strip()
    return re.sub(r"^\d{1,8}\s*[.:)–—-]+\s*", "", shorter).strip()


def _words(below: str) -> str:
    stem = _stem(below)
    cut = _DATED.sub("", stem, count=1)
    found = _NUMBERED.match(stem)
    if cut == stem and found and file_number(below):
        cut = found["rest"].strip("-_. ") or stem
    words = re.sub(r"[-_\s]+", " ", cut).strip()
    return words[:1].upper() + words[1:] if words else stem
