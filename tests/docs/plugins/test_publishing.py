"""Publishing: classifiers of new plugins that the index knows, and the commands of a release."""

import re

from trove_classifiers import classifiers

from stithy_testing.plugin_template import TEMPLATES, TOPICS

PAGE = "plugins/publishing.md"


def test_the_classifiers_are_those_of_new_plugins_and_of_the_index(page):
    listed = dict(re.findall(r"^\| `(Topic :: .+?)` \| (\w+?)s \|", page(PAGE), re.MULTILINE))
    assert {kind: topic for topic, kind in listed.items()} == TOPICS
    assert {*TOPICS.values(), "Typing :: Typed"} <= classifiers


def test_a_release_has_the_commands_of_new_plugins(blocks):
    (commands,) = (block.text for block in blocks(PAGE, "text"))
    assert commands in (TEMPLATES / "common" / "README.md.jinja").read_text()


def test_the_check_finds_nothing(plugins, blocks, run, tmp_path):
    plugins("stithy-pond")
    command, shown = blocks(PAGE, "console")[0].text.removeprefix("$ ").split("\n", 1)
    assert run(command, PYTHONPATH=str(tmp_path / "site-packages")) == (0, shown)
