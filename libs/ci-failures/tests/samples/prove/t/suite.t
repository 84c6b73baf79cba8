use Test2::V0;
is({ a => 1 }, { a => 2 }, 'compares with a table');
subtest nested => sub { is(1, 2, 'inner fails') };
done_testing;
