"""Whatever stands in stithy.toml, it loads or it is a `ConfigError`."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stithy_core.config import check_names, load_config
from stithy_core.errors import ConfigError

MARKS = [*"[]{}=.,#\"'\\ \n\n", "[[", "]]", '"""', "'''", "\r\n", "\u2028", "\x00", " = "]
NAMES = ["forges", "plugins", "serve", "work", "kind", "url", "token", "env", "file", "command", "alias", "tools", "x"]
HEADERS = ["[forges.work]", "[[forges.work]]", "[serve] # [", "[plugins]", "[x.y]", "[['x'.\"\\u0022]\"]]", "# x = 1"]
SINGLES = ["true", "1", "-1.5", "0x1f", "inf", "2020-01-02", "03:04:05", "''", '"\\u0000"', "'~nobody-x'", "1e400"]
LONG_ONES = ['"""\n]\n\\""" x = 1\n"""', "'''\n[x]\n''''", "[ # ]\n 1,\n '[' ]", "9" * 30, "'https://h'"]

PIECES = st.sampled_from([*MARKS, *NAMES, *HEADERS, *SINGLES])
TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.lists(PIECES, max_size=40).map("".join)
PARTS = st.sampled_from([*NAMES, "''", "'a.b'", '"\\u005d"'])
KEYS = st.lists(PARTS, min_size=1, max_size=3).map(" . ".join)
LISTS = st.sampled_from([*SINGLES, *LONG_ONES, "[]", "{}"])
VALUES = (
    LISTS
    | st.lists(LISTS, max_size=3).map(", ".join).map("[{}]".format)
    | st.builds("{{ {} = {} }}".format, KEYS, LISTS)
)
STATEMENTS = st.sampled_from(HEADERS) | st.builds("{} = {}".format, KEYS, VALUES)
DOCUMENTS = st.lists(STATEMENTS, max_size=6, unique=True).map("\n".join)
SETTINGS = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def error_of(folder, raw):
    """Load it, and give the refusal or the error about the tables that nobody reads."""
    (folder / "stithy.toml").write_bytes(raw)
    try:
        return check_names(load_config({}, folder), [])
    except ConfigError as error:
        return error


@SETTINGS
@given(text=TEXTS)
def test_any_text_loads_or_is_refused(tmp_path, text):
    error_of(tmp_path, text.encode())


@SETTINGS
@given(raw=st.binary())
def test_any_bytes_load_or_are_refused(tmp_path, raw):
    error_of(tmp_path, raw)


@SETTINGS
@given(text=DOCUMENTS)
def test_every_mistake_in_a_document_has_its_line(tmp_path, text):
    error = error_of(tmp_path, text.encode())
    for entry in error.details["errors"] if error else ():
        assert 1 <= entry["line"] <= text.count("\n") + 1
