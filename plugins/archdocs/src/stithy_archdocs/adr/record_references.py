"""Find references to records: by link, by number, by RST role."""

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from attrs import frozen

from stithy_archdocs.documents.document_locations import SUFFIXES

_REFERENCE = re.compile(
    r"\[\[(?P<wiki>[^\]|\n]{1,200})(?:\|[^\]\n]*)?\]\]"
    r"|(?<!!)\[(?P<text>(?:[^\[\]\n\\]|\\.|\[[^\[\]\n]*\]){0,300})\]\(\s*<?(?P<url>[^)\s>]{1,500})>?(?:\s+[\"'(][^)\n]*)?\)"
    r"|:(?:ref|doc|any):`(?:[^`<\n]{1,200}<(?P<role>[^>`\n]{1,200})>|(?P<bare_role>[^`<\n]{1,200}))`"
    r"|`(?P<rst_text>[^`<\n]{1,200})<(?P<rst_url>[^>`\n]{1,300})>`__?"
    r"|(?:link|xref):(?P<adoc_url>[^\[\s]{1,500})\[(?P<adoc_text>[^\]\n]{0,300})\]"
    r"|<<(?P<xref_url>[^>,#\n]{1,300}\.a(?:sciid|d)oc)#?[^>,\n]{0,200}(?:,(?P<xref_text>[^>\n]{0,300}))?>>"
    r"|\[(?P<plain>[^\[\]\n]{1,200})\]"
    r"|(?<![\w/.-])(?P<adr>(?:ADR|RFC|KEP|PEP|AD|DR|OEP|[A-Z]{2,8}-ADR(?:-[A-Za-z]{2,12})?)(?:[-_ ]?#?|[-_"
    r" ](?:no\.? ?|number )?)(?P<number>\d{1,8}))(?![\w%])",
    re.IGNORECASE,
)
_URLS = ("url", "rst_url", "adoc_url", "xref_url")
_NAMES = ("wiki", "text", "role", "bare_role", "rst_text", "adoc_text", "xref_text", "adr", "plain")
_LOOSE = re.compile(
    r"(?<![\w#/.-])(?:#|no\.? ?|number |\\#)?(?P<loose>\d{1,4})(?![\w./-]*\d"
    r"|[-/.]\w)(?:[-_](?P<slug>[a-z][\w-]*)(?:\.\w+)?)?"
)
_PATH = re.compile(r"[\w./-]+")
_NUMBERED_FILE = re.compile(r"\D*+\d[\w.-]*\.(?:md|rst|adoc)\b")
"""One part of a path: a path is searched part by part, since a pattern for the whole takes cubic time."""
_NUMBER = re.compile(r"(?:^|[^\d])0*(\d{1,8})(?!\d)")
_RECORD = re.compile(r"\b(?:adr|rfc|kep|pep|oep|dr)[-_ #]*0*(\d{1,8})\b|^\s*\[?0*(\d{1,4})[.:\]\s_-]", re.IGNORECASE)


@frozen
class RecordReference:
    """A mention of another record.

    Args:
        raw: The text as written.
        url: Target of a link; empty for a mention without one.
        name: The name, label or number; for a link its text.
        start: Offset at which it begins in its text.
        end: Offset behind it.
    """

    raw: str
    url: str
    name: str
    start: int
    end: int

    @property
    def number(self) -> str:
        """The number that it names, without leading zeros; empty if it names none."""
        stem = parse_file_name(self.url) if self.url else ""
        for text in (self.name, stem):
            if found := _RECORD.search(text):
                return (found[1] or found[2]).lstrip("0") or "0"
        if not self.url and (whole := re.fullmatch(r"\W*0*(\d{1,8})\W*", self.name)):
            return whole[1]
        return ""

    @property
    def is_local(self) -> bool:
        """Whether it links to a document in the project."""
        return bool(self.url) and not self.is_remote and decode_link_path(self.url).lower().endswith(SUFFIXES)

    @property
    def is_remote(self) -> bool:
        """Whether it is an absolute URL."""
        return "://" in self.url or self.url.startswith(("mailto:", "//"))


def find_references(text: str) -> Iterator[RecordReference]:
    """Iterate over unambiguous references in any text: links and `ADR-12`."""
    for found in _REFERENCE.finditer(text):
        url = next((found[key] for key in _URLS if found[key]), "")
        if url.startswith("#"):
            continue
        name = next((found[key] for key in _NAMES if found[key]), "")
        if found["plain"] is not None and not _RECORD.search(name):
            continue
        yield RecordReference(found[0], url.strip(), name.strip(), found.start(), found.end())


def _find_files(text: str) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of each path of a document with a number in its name."""
    for path in _PATH.finditer(text):
        begin = path.end()
        for part in reversed(path[0].split("/")):
            begin -= len(part)
            if found := _NUMBERED_FILE.match(part):
                yield path.start(), begin + found.end()
                break
            begin -= 1


def find_references_after_verb(text: str) -> list[RecordReference]:
    """Return the references behind a verb such as "superseded by", where a bare number or a title is enough."""
    found = list(find_references(text))
    if found:
        return found
    files = [
        RecordReference(text[begin:end], text[begin:end], text[begin:end], begin, end)
        for begin, end in _find_files(text)
    ]
    if files:
        return files
    loose = [
        RecordReference(one[0], "", one[0] if one["slug"] else one["loose"], one.start(), one.end())
        for one in _LOOSE.finditer(text)
    ]
    if loose:
        return [one for one in loose if not re.match(r"\s*(?:%|years?|days?|weeks?)", text[one.end :])]
    words = text.strip(" .*_`\"'()")
    return [RecordReference(words, "", words, 0, len(text))] if words and len(words) <= 200 else []  # noqa: PLR2004 -- a title


def decode_link_path(url: str) -> str:
    """Return the decoded path of a link, without query and fragment; empty if the URL is invalid."""
    try:
        return unquote(urlsplit(url).path if "://" in url else re.split(r"[?#]", url, maxsplit=1)[0])
    except ValueError:
        return ""


def parse_file_name(url: str) -> str:
    """Return the last segment of a link's path."""
    return decode_link_path(url).rstrip("/").rpartition("/")[2]
