"""The sources of failures: result files in artifacts, annotations and logs (ADR 16, ADR 17)."""
