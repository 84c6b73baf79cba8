"""Read which tests failed, where and why, from logs of CI and from result files of test tools.

`parse` reads bytes or a stream, `parse_files` reads files; both return a `Report`. Authors of parsers derive from
`Parser`, and register the class as an entry point of the group `ci_failures`.
"""

from ci_failures.failure_report import Report, parse, parse_files
from ci_failures.model import MOST_FAILURES, MOST_TEXT, Confidence, Failure, Kind, Line, Parser
from ci_failures.parser_registry import ParserSet, load_parsers
from ci_failures.results.tally import UnreadableFile
from ci_failures.source_reports import MergedFailure

__all__ = [
    "MOST_FAILURES",
    "MOST_TEXT",
    "Confidence",
    "Failure",
    "Kind",
    "Line",
    "MergedFailure",
    "Parser",
    "ParserSet",
    "Report",
    "UnreadableFile",
    "load_parsers",
    "parse",
    "parse_files",
]
