"""Logs as lines of JSON, each with the id of its request, and with secrets redacted."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from structlog.typing import WrappedLogger

from stithy_core.redaction import in_texts, redact

REQUESTS = "stithy.requests"
STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
"""Attributes of every log record; all others were passed as `extra`."""


def set_up_json_logging(level: str) -> None:
    """Log to standard error as JSON: requests at every level, everything else from a level on.

    Args:
        level: The value of STITHY_LOG: `warning`, `info`, …; an unknown level means `warning`.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                _add_extra_fields,
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                _redact_event,
                structlog.processors.JSONRenderer(ensure_ascii=True),
            ],
        )
    )
    threshold = logging.getLevelNamesMapping().get(level.upper(), logging.WARNING)
    for name in ("", "stithy"):
        logger = logging.getLogger(name)
        logger.handlers = [] if name else [handler]
        logger.propagate = True
    logging.getLogger().setLevel(max(threshold, logging.WARNING))  # libraries log too much
    logging.getLogger("stithy").setLevel(threshold)
    logging.getLogger(REQUESTS).setLevel(logging.INFO)


def _add_extra_fields(_: WrappedLogger, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Add the fields passed as `extra`."""
    event.update({name: value for name, value in vars(event["_record"]).items() if name not in STANDARD_FIELDS})
    return event


def _redact_event(_: WrappedLogger, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Redact secrets at every depth; values that JSON does not have become texts first."""
    redacted: MutableMapping[str, Any] = in_texts(
        {name: _to_json_value(value) for name, value in event.items()}, redact
    )
    return redacted


def _to_json_value(value: object) -> object:
    return value if isinstance(value, int | float | dict | list) else str(value)
