"""docs/forges.md: its tables are those that `stithy explain` writes."""

import re

import pytest

from stithy_core.app.explaining import operations_table, table
from stithy_testing import make_app

PAGE = "forges.md"


@pytest.mark.parametrize(("name", "written"), [("tools", table), ("operations", operations_table)])
def test_a_table_is_as_it_is_written(page, tmp_path, name, written):
    (shown,) = re.findall(rf"<!-- {name} -->\n(.*?)<!-- end -->", page(PAGE), re.DOTALL)
    assert shown.split("\n")[:-1] == list(written(make_app(tmp_path)))
