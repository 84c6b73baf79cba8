"""Logs as lines of JSON, each with the id of its request, and without any secret."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from structlog.typing import WrappedLogger

from stithy_core.redaction import in_texts, redact

REQUESTS = "stithy.requests"
KNOWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
"""What every record has; the rest was given with `extra`."""


def set_up(level: str) -> None:
    """Log to standard error as JSON: requests always, the rest from a level on.

    Args:
        level: As STITHY_LOG says: `warning`, `info`, …
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                _given,
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                _redacted,
                structlog.processors.JSONRenderer(ensure_ascii=True),
            ],
        )
    )
    known = logging.getLevelNamesMapping()
    threshold = known.get(level.upper(), logging.WARNING)
    for name in ("", "stithy"):
        logger = logging.getLogger(name)
        logger.handlers = [] if name else [handler]
        logger.propagate = True
    logging.getLogger().setLevel(max(threshold, logging.WARNING))  # libraries say too much
    logging.getLogger("stithy").setLevel(threshold)
    logging.getLogger(REQUESTS).setLevel(logging.INFO)


def _given(_: WrappedLogger, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Add what was given with `extra`."""
    event.update({name: value for name, value in vars(event["_record"]).items() if name not in KNOWN})
    return event


def _redacted(_: WrappedLogger, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Take secrets out, wherever they stand; what is no JSON becomes a text first."""
    redacted: MutableMapping[str, Any] = in_texts({name: _plain(value) for name, value in event.items()}, redact)
    return redacted


def _plain(value: object) -> object:
    return value if isinstance(value, int | float | dict | list) else str(value)
