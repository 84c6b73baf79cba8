use Test::More tests => 1;
ok(1, 'fine');
