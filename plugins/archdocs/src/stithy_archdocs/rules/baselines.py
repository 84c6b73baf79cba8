"""A baseline: the hits that were there before a rule was. They are told, and break nothing.

The file is JSON: `{"version": 1, "hits": [{"rule": …, "file": …, "hash": …}]}`. A hash is of the matched text without
its white space, so that code may move; as many equal hits are known as it has equal rows.
"""

import hashlib
import json
import stat
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from stithy_archdocs.rules.records import Hit

Key: TypeAlias = tuple[str, str, str]
LARGEST = 10_000_000
"""Bytes of the file."""


class InvalidBaseline(Exception):
    """The file cannot be read; the message says why."""


def key_of(hit: Hit, path: str) -> Key:
    """Give what a hit is known by."""
    return hit.rule.id, path, hashlib.sha256("".join(hit.text.split()).encode(errors="replace")).hexdigest()[:16]


def read(path: Path) -> Counter[Key]:
    """Read a baseline; a file that is not there has no hits.

    Raises:
        InvalidBaseline: It is no such file.
    """
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode):
            raise InvalidBaseline(f"{path.name} is not a regular file")
        if state.st_size > LARGEST:
            raise InvalidBaseline(f"{path.name} has more than {LARGEST:,} bytes")
        rows = json.loads(path.read_text(encoding="utf-8"))["hits"]
        return Counter((str(row["rule"]), str(row["file"]), str(row["hash"])) for row in rows)
    except FileNotFoundError:
        return Counter()
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise InvalidBaseline(f"the baseline {path.name} cannot be read: {str(error)[:200]}") from error


def write(path: Path, keys: Iterable[Key]) -> None:
    """Write a baseline, the same bytes for the same hits."""
    rows = [{"rule": rule, "file": file, "hash": digest} for rule, file, digest in sorted(keys)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"version": 1, "hits": rows}, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
