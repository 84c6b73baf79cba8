"""Runs Minitest on the sample, and keeps what it prints with the truth of a reporter beside it.

Needs Debian's ruby-minitest, ruby-railties and ruby-minitest-reporters.
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import CI, keep, project, run

TRUTH = ("-I", str(Path(__file__).with_name("plugin")), "-rminitest/truth_plugin")
PLAIN = {"MT_NO_PLUGINS": "1"}
FILES = ("-r./test/account_test.rb", "-r./test/words_spec.rb", "-r./test/fine_test.rb", "-e", "", "--")


def truth(result, folder):
    for one in json.loads(result.read_text(encoding="utf-8")):
        at = re.match(r"(?:\./)?(.+?):(\d+)", (one["place"] or "").replace(f"{folder}/", ""))
        place = {"file": at[1], "line": int(at[2])} if at and not at[1].startswith("/") else {}
        yield {"tool": "minitest", "kind": "test", "name": one["name"]} | place


def case(name, *words, env=None, terminal=False):
    folder = project("minitest/project", "minitest")
    result = folder.parent / "minitest-truth.json"
    env = CI | {"STITHY_TRUTH": str(result), "LC_ALL": "C.UTF-8"} | (env or {})
    log = run(folder, "ruby", "-I.", *TRUTH, *words, env=env, terminal=terminal)
    log = log.replace(f"rails test {str(folder)[1:]}/", "rails test ")  # Rails sees no application around the sample
    keep(f"minitest/{name}", log, folder, "the results of Minitest itself, same run", truth(result, folder))


def reported(name, reporter, *options, env=None):
    use = f"require 'minitest/reporters'; Minitest::Reporters.use! Minitest::Reporters::{reporter}.new"
    files = "%w[account words].each { |name| Dir[%(./test/#{name}_*.rb)].each { |file| require file } }"
    case(name, "-e", f"{use}; {files}", "--", *options, env=env)


if __name__ == "__main__":
    case("plain", *FILES, "--seed", "1", env=PLAIN)
    case("verbose", *FILES, "-v", "--seed", "2", env=PLAIN)
    case("one-file", "-Itest", "test/words_spec.rb", "--seed", "4", env=PLAIN)
    case("some", *FILES, "-n", "/adds|fine|skipped/", "--seed", "5", env=PLAIN)
    case("fine", "test/fine_test.rb", "--seed", "6", env=PLAIN)
    case("rails", "rails/rails_test.rb", "--seed", "7")
    case("rails-files", *FILES, "--seed", "8")
    case("rails-verbose", "rails/rails_test.rb", "-v", "--seed", "9")
    case("rails-colour", "rails/rails_test.rb", "--color", "--seed", "10")
    case("rails-fail-fast", *FILES, "--fail-fast", "--seed", "11")
    case("rails-deferred", *FILES, "--defer-output", "--seed", "12")
    reported("reporters-spec", "SpecReporter", "--seed", "13")
