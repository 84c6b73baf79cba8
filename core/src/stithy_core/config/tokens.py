"""Reading a secret, at the moment it is used."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from stithy_core.config.records import TokenSource
from stithy_core.errors import ConfigError

_FIT_FOR_A_HEADER = re.compile(r"[\x21-\x7e]+")
_SECONDS = 10


class _Unreadable(Exception):
    """Why there is no secret; never with a word of what was read."""


def token_of(source: TokenSource, environ: Mapping[str, str]) -> str:
    """Read a token.

    Args:
        source: Where it is: a variable, a file or a command.
        environ: The environment, also of a command.

    Raises:
        ConfigError: It cannot be read, or is no token. The source is named and the value is not.
    """
    return _attempt("token", str(source), lambda: _token(_read(source, environ)), file=source.file, key=source.env)


def usable(value: str, source: str) -> str:
    """Return a token, checked and ready for a header.

    Args:
        value: What was found.
        source: Where, for the error.

    Raises:
        ConfigError: It is no token. The source is named and the value is not.
    """
    return _attempt("token", source, lambda: _token(value))


def private_key_of(source: TokenSource, environ: Mapping[str, str]) -> str:
    """Read the private key of an app, as PEM.

    Args:
        source: Where it is: a variable or a file.
        environ: The environment.

    Raises:
        ConfigError: It cannot be read, or is no private key. The source is named and the key is not.
    """
    return _attempt("private key", str(source), lambda: _pem(_read(source, environ)), file=source.file, key=source.env)


def _attempt(
    what: str, source: str, read: Callable[[], str], *, file: str | None = None, key: str | None = None
) -> str:
    try:
        return read()
    except _Unreadable as error:
        reason = str(error)
    # Raised outside of the handler, so that no traceback leads to what was read.
    raise ConfigError(
        f"the {what} of {source} cannot be used: {reason}",
        suggestion=f"See to it that {source} gives the {what} and nothing else.",
        details={"file": file, "line": None, "key": key, "source": source},
    )


def _token(text: str) -> str:
    token = text.strip()
    if not token:
        raise _Unreadable("it is empty")
    if not _FIT_FOR_A_HEADER.fullmatch(token):
        # A line break would end the header that carries it and begin another one.
        raise _Unreadable("it has a space, a line break, or a control or non-ASCII character inside")
    return token


def _pem(text: str) -> str:
    # Whoever puts a key into a variable often has its line ends as \n, since many files of variables know no others.
    key = text.strip().replace("\\n", "\n")
    if not key.startswith("-----BEGIN ") or "PRIVATE KEY-----" not in key:
        raise _Unreadable("it is no private key as PEM")
    return key


def _read(source: TokenSource, environ: Mapping[str, str]) -> str:
    if source.command is not None:
        return _printed(source.command, environ)
    if source.file is not None:
        return _file(Path(source.file))
    value = environ.get(source.env or "")
    if value is None:
        raise _Unreadable("it is not set")
    return value


def _file(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise _Unreadable(error.strerror) from None
    except ValueError:
        raise _Unreadable("it is not a text") from None


def _printed(command: tuple[str, ...], environ: Mapping[str, str]) -> str:
    import subprocess

    try:
        # Standard input is the MCP client's on stdio, and what a program complains of may quote the token.
        done = subprocess.run(  # noqa: S603 - the user's own command, without a shell
            command,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            env=dict(environ),
        )
        return next(iter(done.stdout.decode().strip().splitlines()), "")
    except subprocess.TimeoutExpired:
        raise _Unreadable(f"it took longer than {_SECONDS} seconds") from None
    except subprocess.CalledProcessError as error:
        raise _Unreadable(f"it ended with exit code {error.returncode}") from None
    except OSError as error:
        raise _Unreadable(error.strerror) from None
    except ValueError:
        raise _Unreadable("it printed no text") from None
