# Asks Perl's own parser of TAP what failed in each file, or whether the file itself did.
use strict;
use warnings;
use TAP::Parser;
use JSON::PP;
my @rows;
for my $file (@ARGV) {
    my $parser = TAP::Parser->new({ source => $file });
    my $failed = 0;
    while (my $result = $parser->next) {
        next if !$result->is_test || $result->is_ok;
        (my $name = $result->description) =~ s/^- | \{$//g;
        $failed = 1;
        push @rows, { file => $file, name => $name, number => $result->number };
    }
    push @rows, { file => $file, whole => 1 } if !$failed && ($parser->exit || $parser->parse_errors);
}
print encode_json(\@rows);
