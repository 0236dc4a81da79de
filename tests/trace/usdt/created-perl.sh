# What: a Perl program creates static probes by libusdt's calls, through FFI::Platypus: every firing with its values; in forked children, too.  Needs: uprobe.
# Executors: kernel (probes that the process creates).
. "$LIB"
perl -MFFI::Platypus -e 1 2>/dev/null || skip "libffi-platypus-perl is not installed"
export LD_LIBRARY_PATH="$usdt_library"
cat >probes.pl <<'P'
use strict;
use warnings;
use FFI::Platypus 2.00;
my $ffi = FFI::Platypus->new(api => 2, lib => "libdtrace-usdt.so.0");
$ffi->attach(usdt_create_provider => ['string', 'string'] => 'opaque');
$ffi->attach(usdt_create_probe => ['string', 'string', 'size_t', 'string[]'] => 'opaque');
$ffi->attach("usdt_provider_$_" => ['opaque', 'opaque'] => 'int') for qw(add_probe remove_probe);
$ffi->attach("usdt_provider_$_" => ['opaque'] => 'int') for qw(enable disable);
$ffi->attach(usdt_provider_free => ['opaque'] => 'void');
$ffi->attach(usdt_errstr => ['opaque'] => 'string');
$ffi->attach(usdt_fire_probe => ['opaque', 'size_t', 'opaque[]'] => 'void');
$ffi->attach(usdt_is_enabled => ['opaque'] => 'int');
$ffi->attach(dtusdt_error => [] => 'string');

# struct usdt_probedef: name, function, argc, 32 types, then the probe.
sub probe_of { unpack 'Q', $ffi->cast('opaque', 'record(288)*', $_[0]) =~ s/^.{280}//sr }

die "a quote" if usdt_create_provider('a"b', 'm') || dtusdt_error() !~ /0x22/;
die "13 arguments" if usdt_create_probe('f', 'n', 13, [('int') x 13]) || dtusdt_error() !~ /at most 12/;
my $provider = usdt_create_provider('perl_made', 'shop');
my $sold = usdt_create_probe('sell', 'sold', 3, ['int', 'char *', 'uint16_t']) or die dtusdt_error();
my $other = usdt_create_probe('sell', 'other', 0, []) or die dtusdt_error();
usdt_provider_add_probe($provider, $_) == 0 or die usdt_errstr($provider) for $sold, $other;
die "twice" if usdt_provider_add_probe($provider, $other) == 0;
die usdt_errstr($provider) if usdt_provider_enable($provider);

my ($n, @articles) = ($ARGV[0], 'tea', 'cake');
my @texts = map { $ffi->cast('string', 'opaque', $_) } @articles;
my $probe = probe_of($sold);
sub fire {
	for my $i (0 .. $n - 1) {
		usdt_fire_probe($probe, 3, [2 ** 32 - 1 - $i, $texts[$i % 2], 65535]) if usdt_is_enabled($probe);
		usdt_fire_probe(probe_of($other), 0, []);
	}
}
fire();
if ((my $child = fork) == 0) {
	fire();
	exit 0;
}
wait;
usdt_provider_disable($provider);
fire();
usdt_provider_free($provider);
print "done $?\n";
P
perl probes.pl 3 >out 2>err || fail "untraced"
contains '^done 0$'
must_trace_arrivals -Zn 'perl_made$target:shop:sell:sold { @[copyinstr(arg1), arg2] = sum((int)arg0); @n = count(); }
	perl_made$target:::other { @other = count(); }
	END { printa("%s %d %@d\n", @); printa("sold %@d\n", @n); printa("other %@d\n", @other); }' -c 'perl probes.pl 100'
contains '^tea 65535 -2500$'
contains '^cake 65535 -2550$'
contains '^sold 100$'
contains '^other 100$'
contains '^done 0$'

# With its child.
must_trace_arrivals -Zn 'perl_made:::sold { @[pid == $target] = count(); } END { printa("%d %@d\n", @); }' -c 'perl probes.pl 100'
contains '^0 100$'
contains '^1 100$'
exit 0
