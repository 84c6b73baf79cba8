"""Write tests/logs/django: runs the tests of Django, of several versions, in the project beside this file.

The truth is what unittest's own results say in the same run (../unittest/sitecustomize.py).
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from pypi import CI, SAMPLES, TRUTH, keep, project, run, venv

ENVIRONMENTS = {
    "5": ("3.12", "django~=5.2", "tblib"),
    "4": ("3.9", "django~=4.2", "tblib"),
    "2": ("3.8", "django~=2.2"),
    "1": ("3.6", "django~=1.11"),
}
# (version, name of the case, arguments, folder)
CASES = [
    ("5", "plain", "", "."),
    ("5", "parallel", "--parallel 2 shop.tests.test_fruit shop.tests.test_more", "."),
    ("5", "verbose", "-v 2 --timing", "."),
    ("5", "quiet", "-v 0", "."),
    ("5", "buffered", "-b --failfast", "."),
    ("5", "debug-sql", "--debug-sql shop.tests.test_more", "."),
    ("5", "place", "shop", "backend"),
    ("5", "passes", "shop.tests.test_more.MoreTests.test_fine", "."),
    ("4", "plain", "", "."),
    ("4", "parallel", "--parallel 2 shop.tests.test_fruit shop.tests.test_more", "."),
    ("2", "plain", "", "."),
    ("1", "verbose", "-v 2", "."),
]


def make(version, case, arguments, inner):
    """Run Django's tests once, and keep their log and truth."""
    programs = venv(f"django-{version}", *ENVIRONMENTS[version])
    folder = project("django", f"django-{version}-{case}", inner)
    TRUTH.unlink(missing_ok=True)
    told = {"TRUTH": TRUTH, "TRUTH_ROOT": folder, "TRUTH_TOOL": "django", "PYTHONPATH": SAMPLES / "unittest"}
    env = CI | {name: str(value) for name, value in told.items()}
    log = run(folder / inner, programs / "python", "manage.py", "test", *arguments.split(), env=env)
    failed = json.loads(TRUTH.read_text()) if TRUTH.exists() else []
    keep(f"django/{version}-{case}", log, folder, f"results of Django {version}", failed)


if __name__ == "__main__":
    for one in CASES:
        if not sys.argv[1:] or f"{one[0]}-{one[1]}" in sys.argv[1:]:
            make(*one)
