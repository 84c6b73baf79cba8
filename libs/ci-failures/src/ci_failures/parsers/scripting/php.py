"""Names, places and patterns of PHP's test frameworks."""

import re

from ci_failures.parsers.text_helpers import relative

PLACE = re.compile(r"^(?:at )?(\S{1,400}?\.(?:php|phpt|inc)):(\d{1,7})$")
DATA = re.compile(r'^(\S+) with data set (?:"(.*)"|(#\d+))(?: \(.*)?$')
ATTEMPT = re.compile(r" \(attempt \d+ of \d+\)$|^\(attempt \d+ of \d+\) ")
FOREIGN = ("/", "vendor/", "phar:", "../")


def place(text: str) -> tuple[str, int] | None:
    """Return file and line of a frame in the repository; None for any other line."""
    found = PLACE.match(text.strip()) if ".php:" in text or ".inc:" in text or ".phpt:" in text else None
    if found is None:
        return None
    file = relative(found[1])
    return None if file.startswith(FOREIGN) or "/vendor/" in file else (file, int(found[2]))


def place_of_class(text: str, name: str) -> tuple[str, int] | None:
    """Return file and line of a frame in the file of a test's class, below a directory that no runner is known by."""
    found = PLACE.match(text.strip()) if ".php:" in text else None
    if found is None:
        return None
    file = found[1].replace("\\", "/")
    words = name.partition("::")[0].lower().split("\\")
    parts = file.removesuffix(".php").split("/")
    same = 0
    while same < min(len(words), len(parts)) and words[-same - 1] == parts[-same - 1].lower():
        same += 1
    if not same:
        return None
    return (file if same == 1 and len(words) > 1 else "/".join(parts[-same:]) + ".php"), int(found[2])


def canonical(name: str) -> str:
    """Return the name of a test as `Class::method` or `Class::method@data set`."""
    found = DATA.match(ATTEMPT.sub("", name))
    return f"{found[1]}@{found[2] or found[3]}" if found else ATTEMPT.sub("", name)


def pattern(name: str) -> str:
    """Return the `--filter` pattern of exactly this test, with its data set."""
    method, _, data = name.partition("@")
    if data:
        said = data if re.fullmatch(r"#\d+", data) else f'"{data}"'
        method = f"{method} with data set {said}"
    return re.sub(r"([\\.+*?\[^\]$(){}=!<>|\-#/])", r"\\\1", method)
