"""A plugin's own table: typed by its class, as strictly as the core's."""

import datetime as dt
from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from attrs import Factory, field, frozen, validators

from stithy_core.config import Config, check_names, read_table
from stithy_core.errors import ConfigError
from stithy_core.spi import Meta


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Level(Enum):
    ONE = 1


@frozen
class Rule:
    name: str
    weight: float = 1.0
    inner: "Rule | None" = None


@frozen(kw_only=True)
class Mine:
    root: Path = Path()
    roots: tuple[Path, ...] = ()
    count: int = 0
    share: float = 0.5
    colour: Colour = Colour.RED
    level: Level = Level.ONE
    mode: Literal["fast", "slow", 1] = "fast"
    maybe: int | None = None
    either: str | tuple[str, ...] = ""
    pair: tuple[str, int] = ("", 0)
    names: frozenset[str] = frozenset()
    words: Sequence[str] = ()
    limits: Mapping[str, int] = Factory(dict)
    rule: Rule | None = None
    rules: tuple[Rule, ...] = ()
    noted: Annotated[int, "a note"] = 0
    most: Annotated[int, Meta(ge=1, le=1_000)] = 5
    part: Annotated[float, Meta(ge=0)] = 0.5
    tags: Annotated[tuple[Annotated[str, Meta(pattern="^[a-z]+$")], ...], Meta(max_length=2)] = ()
    short: Annotated[str | None, Meta(min_length=1, max_length=3)] = None
    said: Annotated[int, Meta(le=1, message="must be few")] = 0
    when: dt.datetime | None = None
    day: dt.date | None = None
    at: dt.time | None = None
    anything: Any = None
    checked: str = field(default="a", validator=validators.matches_re("a+"))
    password: str = field(default="a", validator=validators.matches_re("a+"))


@pytest.fixture
def mine(read):
    return lambda lines: read_table(read(f"[mine]\n{lines}"), "mine", Mine)


@pytest.fixture
def wrong(mine):
    def read_wrong(lines):
        with pytest.raises(ConfigError) as caught:
            mine(lines)
        return caught.value

    return read_wrong


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("count = 3", 3),
        ("share = 0.25", 0.25),
        ("share = 2", 2.0),
        ("colour = 'blue'", Colour.BLUE),
        ("level = 1", Level.ONE),
        ("mode = 1", 1),
        ("maybe = 4", 4),
        ("either = 'a'", "a"),
        ("either = ['a', 'b']", ("a", "b")),
        ("pair = ['a', 1]", ("a", 1)),
        ("names = ['a', 'a']", {"a"}),
        ("words = ['a']", ("a",)),
        ("limits = { a = 1 }", {"a": 1}),
        ("rule.name = 'a'", Rule("a")),
        ("rule = { name = 'a', inner = { name = 'b' } }", Rule("a", inner=Rule("b"))),
        ("[[mine.rules]]\nname = 'a'\n[[mine.rules]]\nname = 'b'", (Rule("a"), Rule("b"))),
        ("noted = 5", 5),
        ("when = 2020-01-02T03:04:05Z", dt.datetime(2020, 1, 2, 3, 4, 5, tzinfo=dt.UTC)),
        ("day = 2020-01-02", dt.date(2020, 1, 2)),
        ("at = 03:04:05", dt.time(3, 4, 5)),
        ("anything = [{ a = 1 }]", [{"a": 1}]),
        ("most = 1", 1),
        ("most = 1000", 1_000),
        ("part = inf", float("inf")),
        ("tags = ['a', 'b']", ("a", "b")),
        ("short = 'abc'", "abc"),
    ],
)
def test_values_take_the_shape_of_the_class(mine, line, value):
    key = line.removeprefix("[[mine.").split()[0].split(".")[0].split("]")[0]
    assert getattr(mine(line), key) == value


def test_paths_are_relative_to_the_file(mine, tmp_path):
    settings = mine("root = 'docs'\nroots = ['a', '/b']")
    assert (settings.root, settings.roots) == (tmp_path / "docs", (tmp_path / "a", Path("/b")))


def test_missing_table_gives_the_defaults(read):
    assert read_table(read(""), "mine", Mine) == Mine()


def test_settings_without_a_file_give_the_defaults():
    assert read_table(Config(), "mine", Mine) == Mine()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("root = 1", "mine.root must be a path, not 1"),
        ("most = 0", "mine.most must be from 1 to 1,000, not 0"),
        ("most = 1001", "mine.most must be from 1 to 1,000, not 1001"),
        ("most = true", "mine.most must be a whole number, not true"),
        ("part = -0.5", "mine.part must be at least 0, not -0.5"),
        ("part = nan", "mine.part must be at least 0, not nan"),
        ("tags = ['a', 'b', 'c']", "mine.tags must have at most 2 items, not a list"),
        ("tags = ['a', 'B']", "mine.tags[1] must match ^[a-z]+$, not 'B'"),
        ("short = ''", "mine.short must have from 1 to 3 characters, not ''"),
        ("said = 2", "mine.said must be few, not 2"),
        ("count = '12'", "mine.count must be a whole number, not '12'"),
        ("count = true", "mine.count must be a whole number, not true"),
        ("count = 1.0", "mine.count must be a whole number, not 1.0"),
        ("share = '1'", "mine.share must be a number, not '1'"),
        ("share = false", "mine.share must be a number, not false"),
        ("colour = 'blu'", "mine.colour must be 'red' or 'blue' (did you mean blue?), not 'blu'"),
        ("level = true", "mine.level must be 1, not true"),
        ("mode = true", "mine.mode must be 'fast' or 'slow' or 1, not true"),
        ("maybe = 'x'", "mine.maybe must be a whole number, not 'x'"),
        ("either = 1", "mine.either must be a text or a list, not 1"),
        ("either = [1]", "mine.either[0] must be a text, not 1"),
        ("pair = ['a']", "mine.pair must be a list of exactly 2"),
        ("words = 'abc'", "mine.words must be a list, not 'abc'"),
        ("names = ['a', 1]", "mine.names[1] must be a text, not 1"),
        ("limits = []", "mine.limits must be a table, not a list"),
        ("limits.a = '1'", "mine.limits.a must be a whole number, not '1'"),
        ("rule = 'a'", "mine.rule must be a table, not 'a'"),
        ("rule = {}", "mine.rule.name is missing"),
        ("rule = { nam = 'x', name = 'x' }", "mine.rule.nam is not a setting of [mine.rule]; did you mean name?"),
        ("cuont = 1", "mine.cuont is not a setting of [mine]; did you mean count?"),
        ("when = 2020-01-02", "mine.when must be a date with a time, not 2020-01-02"),
        ("day = 2020-01-02T03:04:05", "mine.day must be a date, not 2020-01-02 03:04:05"),
        ("at = 'noon'", "mine.at must be a time, not 'noon'"),
        ("checked = 'b'", "mine.checked is invalid: 'checked' must match regex 'a+' ('b' doesn't)"),
        ("password = 'hunter2'", "mine.password is invalid (ValueError)"),
    ],
)
def test_values_are_neither_coerced_nor_ignored(wrong, line, said):
    assert wrong(line).message == f"stithy.toml:2: {said}"


def test_item_of_a_list_of_tables_has_its_own_line(wrong):
    details = wrong("[[mine.rules]]\nname = 'a'\n[[mine.rules]]\n\nname = 3").details
    assert (details["key"], details["line"]) == ("mine.rules[1].name", 6)


def test_all_mistakes_are_reported(wrong):
    assert len(wrong("count = 'a'\nx1 = 1\nwords = [1, 2]").details["errors"]) == 4


def test_table_that_nobody_reads_is_an_error(read, tmp_path):
    error = check_names(read("[archdocs]\n[forge.work]"), ["archdocs"])
    assert error.message == "stithy.toml:2: forge is an unknown table; did you mean forges?"
    assert (error.details["file"], error.details["line"]) == (str(tmp_path / "stithy.toml"), 2)


def test_plugins_tables_are_suggested_as_well(read):
    assert "did you mean archdocs?" in check_names(read("[archdoc]"), ["archdocs"]).message


def test_all_leftovers_are_named(read):
    error = check_names(read("[b]\n[zzz]\n[b.c]"), [])
    assert [entry["key"] for entry in error.details["errors"]] == ["b", "zzz"]


def test_fully_read_tables_are_not_an_error(read):
    assert check_names(read("[serve]\n[mine]"), ["mine", "other"]) is None
