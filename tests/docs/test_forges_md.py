"""docs/forges.md: its tables are those that `stithy explain` writes."""

import re

import pytest

from stithy_core.cli.tool_commands import format_operation_table, format_tool_table
from stithy_testing import make_app

PAGE = "forges.md"


@pytest.mark.parametrize(("name", "written"), [("tools", format_tool_table), ("operations", format_operation_table)])
def test_a_table_is_as_it_is_written(page, tmp_path, name, written):
    (shown,) = re.findall(rf"<!-- {name} -->\n(.*?)<!-- end -->", page(PAGE), re.DOTALL)
    assert shown.split("\n")[:-1] == list(written(make_app(tmp_path)))
