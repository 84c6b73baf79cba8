"""A baseline: violations that existed before a rule did. They are reported, but do not fail a check.

The file is JSON: `{"version": 1, "hits": [{"rule": …, "file": …, "hash": …}]}`. The hash covers the matched text
without white space, so that code may move. A file may have equal rows; each excuses one hit.
"""

import hashlib
import json
import stat
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from stithy_archdocs.rules.rule_models import RuleHit
from stithy_core.spi.file_replacement import replace_file

BaselineKey: TypeAlias = tuple[str, str, str]
LARGEST = 10_000_000
"""Maximum bytes of the file."""


class InvalidBaseline(Exception):
    """The file cannot be read or written; the message says why."""


def make_key(hit: RuleHit, path: str) -> BaselineKey:
    """Return the baseline key of a hit: rule id, path, and hash of the text."""
    return hit.rule.id, path, hashlib.sha256("".join(hit.text.split()).encode(errors="replace")).hexdigest()[:16]


def read_baseline(path: Path) -> Counter[BaselineKey]:
    """Read a baseline; a missing file has no rows.

    Raises:
        InvalidBaseline: The file is not a baseline.
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


def write_baseline(path: Path, keys: Iterable[BaselineKey]) -> None:
    """Write a baseline; equal rows yield the same bytes.

    Raises:
        InvalidBaseline: The file cannot be written.
    """
    rows = [{"rule": rule, "file": file, "hash": digest} for rule, file, digest in sorted(keys)]
    text = json.dumps({"version": 1, "hits": rows}, indent=2, ensure_ascii=False) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode(errors="replace"), new_mode=0o644)
    except OSError as error:
        raise InvalidBaseline(f"cannot write the baseline {path.name}: {error.strerror or error}") from error
