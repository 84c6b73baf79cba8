use Test::More;
ok(0, 'fails first');
die "it broke\n";
