-module(till_SUITE).
-include_lib("common_test/include/ct.hrl").
-export([all/0, adds/1, subtracts/1, throws/1, skips/1, groups/0, init_per_testcase/2, end_per_testcase/2, inner/1]).
all() -> [adds, subtracts, throws, skips, {group, deep}].
groups() -> [{deep, [], [inner]}].
init_per_testcase(skips, _) -> {skip, "no"};
init_per_testcase(_, C) -> C.
end_per_testcase(_, _) -> ok.
adds(_) -> 2 = till:add(1, 1).
subtracts(_) -> 3 = till:add(5, -1).
throws(_) -> error(closed).
skips(_) -> ok.
inner(_) -> ct:fail("no reason").
