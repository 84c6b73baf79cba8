-module(till_tests).
-include_lib("eunit/include/eunit.hrl").
adds_test() -> ?assertEqual(2, till:add(1, 1)).
subtracts_test() -> ?assertEqual(3, till:add(5, -1)).
throws_test() -> error(closed).
prints_test() -> io:format("Failures:~n~n  1) nope~n"), ok.
group_test_() -> [{"is named", ?_assert(1 =:= 2)}, ?_assertMatch({ok, _}, error)].
setup_test_() -> {setup, fun() -> error(nobase) end, fun(_) -> ok end, [fun() -> ok end]}.
