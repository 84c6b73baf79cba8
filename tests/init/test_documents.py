"""Edits of settings files keep everything else: comments, order, white space."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from stithy_init.documents import InvalidDocument, parse_document, remove_entry, set_entry

ENTRY = {"command": "/opt/s t/stithy", "args": ["serve"], "env": {"A": "$A"}}
KEYS = st.text(st.sampled_from('abz-_. "\\é/'), min_size=1, max_size=6)
SCALARS = st.one_of(st.booleans(), st.integers(-9, 9), st.text(st.sampled_from('ab,{}[]:#"\\/*é\n'), max_size=8))
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
COMMENTS = st.sampled_from(["", " ", "// a, b }\n", "/* { */", "\n  /* x\n , */\n", "\t"])


@st.composite
def jsons(draw):
    """JSON with comments, trailing commas and any white space, with or without servers."""

    def write(value):
        gap = lambda: draw(COMMENTS)  # noqa: E731
        if isinstance(value, dict):
            rows = [f"{gap()}{json.dumps(key)}{gap()}:{gap()}{write(each)}{gap()}" for key, each in value.items()]
        elif isinstance(value, list):
            rows = [f"{gap()}{write(each)}{gap()}" for each in value]
        else:
            return json.dumps(value)
        comma = draw(st.sampled_from(["", ","])) if rows else ""
        marks = "{}" if isinstance(value, dict) else "[]"
        return f"{marks[0]}{gap()}{','.join(rows)}{comma}{gap()}{marks[1]}"

    data = draw(st.dictionaries(KEYS, VALUES, max_size=3))
    servers = draw(st.none() | st.dictionaries(KEYS, VALUES, max_size=2))
    rows = list((data | ({} if servers is None else {"mcpServers": servers})).items())
    if draw(st.booleans()):
        rows.reverse()
    return f"{draw(COMMENTS)}{write(dict(rows))}{draw(COMMENTS)}"


def drop_spaces(text):
    return "".join(text.split())


@given(jsons())
def test_json_keeps_every_byte_but_its_own(text):
    """What is there before and after the new member, the text is made of; removed again, the data is as before."""
    changed = set_entry(text, "json", ("mcpServers", "stithy"), ENTRY)
    own = drop_spaces(changed)
    for piece in drop_spaces(text):  # in order: nothing was lost and nothing moved
        _, found, own = own.partition(piece)
        assert found
    before = parse_document(text, "json")
    place = ("mcpServers", "stithy") if "mcpServers" in before else ("mcpServers",)
    removed = remove_entry(changed, "json", place)
    assert parse_document(removed, "json") == before
    assert drop_spaces(removed) == drop_spaces(text)


PRETTY = {
    "no servers": '{\n  // mine\n  "theme": "dark", // really\n  "x": [1, 2,],\n}\n',
    "others": '{\n\t"mcpServers": {\n\t\t// hub\n\t\t"hub": {"command": "x"}\n\t}\n}',
    "none yet": '{\n  "mcpServers": {}\n}\n',
    "windows": '{\r\n    "a": 1\r\n}\r\n',
    "empty": "{}",
    "one line": '{"mcpServers": {"hub": {"command": "x"}}}\n',
}


@pytest.mark.parametrize("text", PRETTY.values(), ids=PRETTY)
def test_json_without_the_entry_again_is_the_same_text(text):
    """Byte for byte, where people and programs write their files."""
    place = ("mcpServers", "stithy") if "mcpServers" in text else ("mcpServers",)
    changed = set_entry(text, "json", ("mcpServers", "stithy"), ENTRY)
    assert parse_document(changed, "json")["mcpServers"]["stithy"] == ENTRY
    assert remove_entry(changed, "json", place) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "x": {"b": 2}}', '{"a": 1 }'),
        ('{\n  "a": 1, // one\n  "x": 2\n}\n', '{\n  "a": 1 // one\n}\n'),
        ('{\n  "x": 2,\n  "a": 1,\n}\n', '{\n  "a": 1,\n}\n'),
        ('{"x": 1, "x": 2}', "{}"),
        ('{"x": 1, /* kept */}', "{/* kept */}"),
        ('{"a": 1}', '{"a": 1}'),
    ],
)
def test_a_member_is_removed_with_its_comma(text, expected):
    """Wherever a host has moved it, and of a name that stands twice both."""
    assert remove_entry(text, "json", ("x",)) == expected


def test_new_members_come_first_so_that_no_other_line_changes():
    text = PRETTY["others"]
    changed = set_entry(text, "json", ("mcpServers", "stithy"), {"command": "s"})
    assert changed.splitlines()[2:5] == ['\t\t"stithy": {', '\t\t\t"command": "s"', "\t\t},"]
    assert [line for line in text.splitlines() if line not in changed.splitlines()] == []


def test_an_entry_that_exists_keeps_its_comments_and_other_keys():
    text = '{"mcpServers": {"stithy": {\n  // slow here\n  "timeout": 9, "command": "old" // why\n}}}'
    changed = set_entry(text, "json", ("mcpServers", "stithy"), {"command": "new", "timeout": 9})
    assert changed == text.replace("old", "new")


TOML = '# my own\nmodel = "gpt"   # the large one\n\n[mcp_servers.hub]  # hub\ncommand = "hub"\n\n[tui]\nbell = false\n'


def test_toml_keeps_comments_and_order():
    changed = set_entry(TOML, "toml", ("mcp_servers", "stithy"), ENTRY)
    assert changed.startswith(TOML)
    assert tomllib.loads(changed)["mcp_servers"]["stithy"] == ENTRY
    assert parse_document(remove_entry(changed, "toml", ("mcp_servers", "stithy")), "toml") == tomllib.loads(TOML)
    again = set_entry(changed, "toml", ("mcp_servers", "stithy"), {"command": "other"})
    assert again == changed.replace("/opt/s t/stithy", "other")


TOML_KEYS = st.text(st.sampled_from("abc_-"), min_size=1, max_size=4)


@given(st.dictionaries(TOML_KEYS, st.dictionaries(TOML_KEYS, SCALARS, max_size=3), max_size=4), st.data())
def test_toml_keeps_every_line(tables, data):
    """In any order of tables, with comments anywhere between lines."""
    lines = ["top = 1"]
    for name, table in tables.items():
        prefix = data.draw(st.sampled_from(["", "mcp_servers."]))
        lines += [f"[{prefix}{name}]  # {name}", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
        lines += data.draw(st.sampled_from([[], [""], ["# note", ""]]))
    text = "\n".join(lines)
    changed = set_entry(text, "toml", ("mcp_servers", "stithy"), ENTRY)
    assert changed.startswith(text)
    removed = remove_entry(changed, "toml", ("mcp_servers", "stithy"))
    assert parse_document(removed, "toml").get("mcp_servers") or "mcp_servers" not in text
    assert [line for line in lines if line and line not in removed.splitlines()] == []


YAMLS = {
    "goose": (
        "# mine\nGOOSE_MODEL: x   # large\nextensions:\n  # builtin\n  developer:\n    enabled: true\n"
        "    args: [a,   b]\nlast: 'q'\n"
    ),
    "none": "GOOSE_MODEL: x\n",
    "empty": "",
    "null": "extensions:\nlast: 1\n",
    "flow": "extensions: {}\nlast: 1  # end\n",
}


@pytest.mark.parametrize("text", YAMLS.values(), ids=YAMLS)
def test_yaml_keeps_comments_and_order(text):
    changed = set_entry(text, "yaml", ("extensions", "stithy"), ENTRY)
    assert YAML(typ="safe").load(changed)["extensions"]["stithy"] == ENTRY
    lines = iter(changed.splitlines())
    assert all(any(kept == line for kept in lines) for line in text.splitlines() if "extensions" not in line)
    comments = [line.partition("#")[2] for line in text.splitlines() if "#" in line]
    removed = remove_entry(changed, "yaml", ("extensions", "stithy"))
    assert [line.partition("#")[2] for line in removed.splitlines() if "#" in line] == comments


@pytest.mark.parametrize("gap", ["", "  "])
def test_yaml_lists_have_entries_by_name(gap):
    text = f"name: mine\nmcpServers:\n{gap}- name: hub\n{gap}  command: x  # hub\nrules: []\n"
    entry = {"name": "stithy", "command": "s", "args": ["serve"]}
    changed = set_entry(text, "yaml", ("mcpServers", "stithy"), entry)
    assert YAML(typ="safe").load(changed)["mcpServers"] == [entry, {"name": "hub", "command": "x"}]
    assert [line for line in text.splitlines() if line not in changed.splitlines()] == []
    again = set_entry(changed, "yaml", ("mcpServers", "stithy"), entry | {"command": "t"})
    assert again == changed.replace("command: s", "command: t")


INVALID = [
    ("json", "{"),
    ("json", '{"mcpServers": [1]}'),
    ("json", '{"mcpServers": "x"}'),
    ("json", "[]"),
    ("json", '{"a": 1} {"b": 2}'),
    ("toml", "a ="),
    ("toml", 'mcpServers = "x"'),
    ("toml", "mcpServers = { hub = {} }"),
    ("yaml", "a: [b"),
    ("yaml", "- a"),
    ("yaml", "mcpServers: x"),
    ("json", "[" * 100_000),
]


@pytest.mark.parametrize(("form", "text"), INVALID)
def test_what_cannot_be_edited_is_an_error(form, text):
    """Which names the reason, and shows nothing of the file."""
    with pytest.raises(InvalidDocument):
        set_entry(text, form, ("mcpServers", "stithy"), ENTRY)


@pytest.mark.parametrize("rest", ['"\\' * 200_000, '"' + '\\"' * 200_000, "/*" * 200_000])
def test_what_never_ends_is_refused_in_a_moment(rest):
    with pytest.raises(InvalidDocument):
        parse_document(f'{{"a": 1}} {rest}', "json")
