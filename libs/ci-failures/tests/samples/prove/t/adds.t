use strict;
use warnings;
use Test::More tests => 7;
ok(1, 'passes');
is(1 + 1, 3, 'adds two - really');
is_deeply({ a => 1 }, { a => 2 }, "takes 'quotes' and [brackets]");
subtest 'nested' => sub {
    plan tests => 2;
    ok(1, 'inner passes');
    ok(0, 'inner fails');
};
TODO: {
    local $TODO = 'not yet';
    ok(0, 'is known to fail');
}
SKIP: {
    skip 'never', 1;
}
diag("not ok 1 - decoy");
ok(0);
