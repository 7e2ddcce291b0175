#!/usr/bin/perl
# Lamps and one power switch: a complete agent for assay in Perl, with core modules only.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # flush after every line
my $json = JSON::PP->new->utf8->canonical;    # canonical: members in the same order in every run
my %world = (    # action => [what must hold, what must not, what it adds, what it removes]; * is the lamp
    connect    => [ [], ["power"], ["power"], [] ],
    disconnect => [ ["power"], [], [], ["power"] ],
    light      => [ ["power"], ["on *"], ["on *"], [] ],
    douse      => [ ["on *"], [], [], ["on *"] ],
);
print $json->encode({
    assay       => 1,
    types       => { lamp => "object" },
    predicates  => { power => [], on => ["lamp"] },
    actions     => { connect => [], disconnect => [], light => ["lamp"], douse => ["lamp"] },
    objects     => { desk => "lamp", hall => "lamp" },
    new_objects => JSON::PP::true,
    states      => [ [], ["power"], [ "power", "on hall" ] ],    # a walk: connect, light hall
}), "\n";
while (my $line = <STDIN>) {
    my $question = $json->decode($line);
    my %state = map { $_ => 1 } @{ $question->{state} };
    my $steps = 0;
    for my $step (@{ $question->{plan} }) {
        my ($action, $lamp) = split ' ', $step;
        my ($needs, $forbids, $adds, $removes) =
            map { [ map { s/\*/$lamp/r } @$_ ] } @{ $world{$action} };
        last if grep({ !$state{$_} } @$needs) || grep({ $state{$_} } @$forbids);
        delete @state{@$removes};
        $state{$_} = 1 for @$adds;
        $steps++;
    }
    print $json->encode({ steps => $steps, state => [ sort keys %state ] }), "\n";
}
