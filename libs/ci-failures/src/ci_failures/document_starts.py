"""How result files begin that a tool may print as one line, and the root elements of those in XML.

Logs are searched for these beginnings, and a line with one is read whole. Which format a document has, if any, is
recognized by `results.formats`.
"""

import re

ROOTS = {
    "testsuites": "junit",
    "testsuite": "junit",
    "TestRun": "trx",
    "test-run": "nunit",
    "test-results": "nunit",
    "assemblies": "xunit.net",
    "assembly": "xunit.net",
    "test-suite": "nunit",
    "checkstyle": "checkstyle",
    "Site": "ctest",
}
"""The format of each root element."""
CERTAIN = (
    *("<testsuites", "<testsuite ", "<checkstyle"),
    *('{"numTotalTestSuites":', '{"numFailedTestSuites":'),
)
"""Beginnings that only result files have."""
LINES = (
    *('{"protocolVersion":', '{"pytest_version":', '{"$report_type":', '{"version": 0, "kind":', '{"kind":'),
    *('{ "type": "suite", "event":', '{"type":"suite","event":', '{"Severity":"'),
)
"""Beginnings of files in which each further line is an object, too, and tells nothing alone."""
STARTS = (
    *CERTAIN,
    *("<?xml ", "<TestRun", "<test-run", "<test-results", "<test-suite ", "<assemblies", "<assembly ", "<Site "),
    *LINES,
    *('{"numFailedTests":', '{"version":', '{"stats":', '{"summary":', '{"results":', '{"config":', '{"errors":'),
    *('{"messages":', '{"created":', '{"cell":', '{"$schema":', '{"runs":', '{"reportFormat":', '{"diagnostics":'),
    *('{ "diagnostics":', '[{"filePath":', '[{"source":', '[{"uri":', '[{"description":', '[{"check_name":'),
    *('[{"type":', '[{"cell":', '[{"Severity":"', '[{"code":', '{"cancel":', '{"source":'),
)
"""Beginnings of documents that may be one long line."""
DOCUMENT = rf"(?:{'|'.join(map(re.escape, STARTS))})"
LONGEST_PREFIX = 200
"""Characters before a document in its line."""
