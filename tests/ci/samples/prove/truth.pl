# Asks Perl's own parser of TAP what failed in each file.
use strict;
use warnings;
use TAP::Parser;
use JSON::PP;
my @rows;
for my $file (@ARGV) {
    my $parser = TAP::Parser->new({ source => $file });
    while (my $result = $parser->next) {
        next if !$result->is_test || $result->is_ok;
        (my $name = $result->description) =~ s/^- //;
        push @rows, { file => $file, name => $name, number => $result->number };
    }
}
print encode_json(\@rows);
