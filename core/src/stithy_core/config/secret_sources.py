"""Read secrets at the moment they are used: tokens, private keys of apps, and the key of cursors."""

import logging
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import field, frozen

from stithy_core.config.settings_records import TokenSource
from stithy_core.config.settings_sources import user_state_folder
from stithy_core.errors import ConfigError

_HEADER_VALUE = re.compile(r"[\x21-\x7e]+")
_SECONDS = 10


class _Unreadable(Exception):
    """Why a secret cannot be read; its text contains nothing of what was read."""


def read_token(source: TokenSource, environ: Mapping[str, str]) -> str:
    """Read a token.

    Args:
        source: Its source: a variable, a file or a command.
        environ: The environment, also of a command.

    Raises:
        ConfigError: It cannot be read, or is not a valid token. The source is named and the value is not.
    """
    return _name_source(
        "token", str(source), lambda: _parse_token(_read_source(source, environ)), file=source.file, key=source.env
    )


def check_token(value: str, source: str) -> str:
    """Return a token, checked and ready for a header.

    Args:
        value: The token.
        source: Its source, for the error.

    Raises:
        ConfigError: It is not a valid token. The source is named and the value is not.
    """
    return _name_source("token", source, lambda: _parse_token(value))


def read_private_key(source: TokenSource, environ: Mapping[str, str]) -> str:
    """Read the private key of an app, as PEM.

    Args:
        source: Its source: a variable or a file.
        environ: The environment.

    Raises:
        ConfigError: It cannot be read, or is not a private key. The source is named and the key is not.
    """
    return _name_source(
        "private key", str(source), lambda: _parse_pem(_read_source(source, environ)), file=source.file, key=source.env
    )


def _name_source(
    secret: str, source: str, read: Callable[[], str], *, file: str | None = None, key: str | None = None
) -> str:
    """Return the secret that a function reads.

    Raises:
        ConfigError: It cannot be read; the error names its source.
    """
    try:
        return read()
    except _Unreadable as error:
        reason = str(error)
    # Raised outside of the handler, so that no traceback contains what was read.
    raise ConfigError(
        f"the {secret} of {source} cannot be used: {reason}",
        suggestion=f"Make sure {source} contains or prints only the {secret}.",
        details={"file": file, "line": None, "key": key, "source": source},
    )


def _parse_token(text: str) -> str:
    token = text.strip()
    if not token:
        raise _Unreadable("it is empty")
    if not _HEADER_VALUE.fullmatch(token):
        # A line break would end the header that carries it and begin another one.
        raise _Unreadable("it has a space, a line break, or a control or non-ASCII character inside")
    return token


def _parse_pem(text: str) -> str:
    # A key in a variable often has \n for its line ends, since many files of variables support no others.
    key = text.strip().replace("\\n", "\n")
    if not key.startswith("-----BEGIN ") or "PRIVATE KEY-----" not in key:
        raise _Unreadable("it is not a private key as PEM")
    return key


def _read_source(source: TokenSource, environ: Mapping[str, str]) -> str:
    if source.command is not None:
        return _run_command(source.command, environ)
    if source.file is not None:
        return _read_file(Path(source.file))
    value = environ.get(source.env or "")
    if value is None:
        raise _Unreadable("it is not set")
    return value


def _read_file(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise _Unreadable(error.strerror) from None
    except ValueError:
        raise _Unreadable("it is not a text") from None


def _run_command(command: tuple[str, ...], environ: Mapping[str, str]) -> str:
    """Return the first line that a command prints."""
    import subprocess

    try:
        # Standard input belongs to the MCP client on stdio, and error output of the program may quote the token.
        process = subprocess.run(  # noqa: S603 - the user's own command, without a shell
            command,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            env=dict(environ),
        )
        return next(iter(process.stdout.decode().strip().splitlines()), "")
    except subprocess.TimeoutExpired:
        raise _Unreadable(f"it took longer than {_SECONDS} seconds") from None
    except subprocess.CalledProcessError as error:
        raise _Unreadable(f"it ended with exit code {error.returncode}") from None
    except OSError as error:
        raise _Unreadable(error.strerror) from None
    except ValueError:
        raise _Unreadable("its output is not a text") from None


log = logging.getLogger("stithy.config")

CURSOR_KEY_FILE = "cursor-key"
CURSOR_KEY_BYTES = 32


@frozen
class CursorKey:
    """The key that seals cursors: the user's, or one that is stored in a file, which its first use creates.

    A start reads no file for it.

    Args:
        configured: The value of STITHY_CURSOR_KEY; empty where it is not set.
        folder: Returns the folder of the file; by default the user's folder for state.
    """

    configured: str = field(default="", repr=False)
    folder: Callable[[], Path] = user_state_folder

    def __call__(self) -> bytes:
        """Return the key; if it cannot be stored, one for this process only."""
        if self.configured:
            return self.configured.encode(errors="surrogateescape")
        path = Path(CURSOR_KEY_FILE)
        try:
            path = self.folder() / CURSOR_KEY_FILE
            return _read_or_create_key(path)
        except (OSError, ValueError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or error
            log.warning("cursors end with this process: %s holds no key (%s); set STITHY_CURSOR_KEY", path, reason)
            return os.urandom(CURSOR_KEY_BYTES)


def _read_or_create_key(path: Path) -> bytes:
    """Read the key of a file; create the file if it does not exist.

    Raises:
        OSError: It can be neither read nor created.
        ValueError: It exists and contains no key.
    """
    try:
        return _read_key(path)
    except FileNotFoundError:
        _create_key(path)
    return _read_key(path)


def _read_key(path: Path) -> bytes:
    key = bytes.fromhex(path.read_text("ascii"))
    if len(key) != CURSOR_KEY_BYTES:
        raise ValueError(f"expected {CURSOR_KEY_BYTES} bytes, not {len(key)}")
    return key


def _create_key(path: Path) -> None:
    """Create the file as a whole and only once, however many processes start at the same time."""
    import tempfile

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{CURSOR_KEY_FILE}.")  # mode 600
    try:
        with open(handle, "w", encoding="ascii") as file:  # noqa: PTH123 -- it is a descriptor
            file.write(os.urandom(CURSOR_KEY_BYTES).hex())
            file.flush()
            os.fsync(file.fileno())
        _publish_key(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _publish_key(temporary: str, path: Path) -> None:
    try:
        os.link(temporary, path)  # unlike a rename, this never replaces the file of another process
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        if not path.exists():
            Path(temporary).replace(path)
