"""Commands that run what failed again, pasted into a shell: they run exactly that, and fail as before."""

import shutil
import subprocess

import pytest

PASSES = "use Test::More tests => 1;\nok(1);\n"
FAILS = "use Test::More tests => 1;\nis(1, 2, 'adds');\n"
BATS = '@test "adds (a+b) | five" {\n  false\n}\n@test "adds" {\n  false\n}\n@test "passes" {\n  true\n}\n'
PHP = "<?php\n$a = array( 1 );;\n"


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"needs {program}")


def ran(command, folder):
    found = subprocess.run(command, cwd=folder, shell=True, capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode != 0
    return found.stdout + found.stderr


def failures(read, log, tool):
    (tale,) = [tale for tale in read(log) if tale.parser.tool == tool]
    return tale.parser, tale.failures


@needs("prove")
def test_prove_runs_the_files_that_failed(read, tmp_path):
    (tmp_path / "t").mkdir()
    for name, text in {"a b.t": FAILS, "c.t": PASSES, "d$.t": FAILS}.items():
        (tmp_path / "t" / name).write_text(text, encoding="utf-8")
    parser, before = failures(read, ran("prove t", tmp_path), "prove")
    again = ran(parser.rerun(before), tmp_path)
    assert {one.name for one in failures(read, again, "prove")[1]} == {one.name for one in before}
    assert ("Files=2, Tests=2" in again, "c.t" in again) == (True, False)


@needs("bats")
def test_bats_runs_the_tests_that_failed_and_none_that_is_called_alike(read, tmp_path):
    (tmp_path / "a.bats").write_text(BATS, encoding="utf-8")
    parser, before = failures(read, ran("bats a.bats", tmp_path), "bats")
    again = ran(parser.rerun(before[:1]), tmp_path)
    assert [one.name for one in failures(read, again, "bats")[1]] == [before[0].name]
    assert again.startswith("1..1")


@needs("phpcs")
def test_phpcs_looks_at_the_files_that_it_found_something_in(read, tmp_path):
    (tmp_path / "a b.php").write_text(PHP, encoding="utf-8")
    (tmp_path / "c.php").write_text("<?php\n", encoding="utf-8")
    (tmp_path / "phpcs.xml").write_text('<ruleset><rule ref="PSR12"/></ruleset>', encoding="utf-8")
    (tmp_path / "vendor" / "bin").mkdir(parents=True)  # where Composer puts it
    (tmp_path / "vendor" / "bin" / "phpcs").symlink_to(str(shutil.which("phpcs")))
    parser, before = failures(read, ran("vendor/bin/phpcs --report-width=200 *.php", tmp_path), "phpcs")
    again = ran(parser.rerun(before), tmp_path)
    assert {one.file.rpartition("/")[2] for one in before} == {"a b.php"}
    assert "a b.php" in again
    assert "c.php" not in again
