"""What a file is, by its name."""

import pytest

from stithy_pulls.diffs.file_roles import classify_file
from stithy_pulls.impact.covering_tests import find_covering_tests


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("src/a.py", "source"),
        ("latest.py", "source"),
        ("contest/a.go", "source"),
        ("attestation.ts", "source"),
        ("tests/a.py", "test"),
        ("hat-test/src/lib.rs", "test"),
        ("src/Hat.Api.Tests/Making.cs", "test"),
        ("latest/a.py", "source"),
        ("a_test.go", "test"),
        ("a.spec.tsx", "test"),
        ("FooTests.cs", "test"),
        ("go.sum", "lock"),
        ("x/Cargo.lock", "lock"),
        ("go.mod", "manifest"),
        ("requirements/dev.txt", "docs"),
        ("requirements-dev.txt", "manifest"),
        ("node_modules/a.js", "vendored"),
        ("a.min.js", "generated"),
        ("site/hats-bundle.js", "generated"),
        ("unittests/unittest_hat.cpp", "test"),
        ("src/hat_unittest.cc", "test"),
        ("features/bootstrap/HatContext.php", "test"),
        ("src/features/hat.ts", "source"),
        ("App/Pods/Hat/Hat.swift", "vendored"),
        ("src/main/generated/A.java", "generated"),
        ("api.pb.go", "generated"),
        ("README", "source"),
        ("docs/conf.py", "docs"),
    ],
)
def test_a_name_says_what_a_file_is(path, role):
    assert classify_file(path) == role


def test_the_nearest_test_of_that_name_is_first():
    paths = ["tests/core/test_horn.py", "tests/test_horn.py", "web/horn.test.ts", "core/HornTest.java"]
    found = find_covering_tests(["core/horn.py", "web/horn.ts", "core/Horn.java", "core/other.py"], paths)
    assert [row.tests for row in found] == [
        ("tests/core/test_horn.py", "tests/test_horn.py"),
        ("web/horn.test.ts",),
        ("core/HornTest.java",),
        (),
    ]
