"""Run the tests with unittest alone, and write which of them fail, and where."""

import json
import sys
import traceback
import unittest

rows = {}


class Kept(unittest.TestResult):
    def add(self, test, error):
        *_, (frame, line) = [(f, n) for f, n in traceback.walk_tb(error[2]) if f.f_code.co_filename.startswith(sys.argv[1])]
        file = frame.f_code.co_filename.removeprefix(f"{sys.argv[1]}/")
        rows.setdefault(test.id(), {"name": test.id(), "file": file, "line": line})

    addError = addFailure = add

    def addSubTest(self, test, _, error):
        if error:
            self.add(test, error)


unittest.defaultTestLoader.discover("tests", top_level_dir=".").run(Kept())
print(json.dumps(list(rows.values())))
