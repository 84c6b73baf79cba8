def pytest_runtest_logreport(report):
    if report.nodeid.endswith("test_second") and report.when == "call":
        raise LookupError("no such report")
