"""Where failures are read: result files in artifacts, annotations and logs (field notes on CI logs, section 8)."""
