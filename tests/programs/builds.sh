#!/bin/sh
# builds.sh [-k FOLDER] - Perl's own build with our `dtrace -h` and `-G`, and what it built, traced
#
# The source is Debian's source package, by apt-get from the mirror of this machine (13 MB), without a change of its set-up;
# without a network the test is left out, which is said.  Its Configure tries our command, its Makefile calls it, and its
# miniperl is traced: each probe's counts are those that the program must have.  5 to 10 minutes.  -k: keep all in FOLDER.
# $DTRACE, as root.
checkout=$(cd "$(dirname "$0")/../.." && pwd)
work=
while getopts k: option; do
	case $option in
	k) work=$OPTARG && mkdir -p "$work" ;;
	*) exit 2 ;;
	esac
done
if [ -z "$work" ]; then
	work=$(mktemp -d) || exit 1
	trap 'rm -rf "$work"' EXIT
fi
cd "$work" || exit 1
export LC_ALL=C

left_out() {
	echo "builds: left out: $*"
	exit 0
}

fail() {
	echo "builds: FAILED: $*"
	exit 1
}

# With lists of its own, so that neither the machine's sources nor its lists change.
fetch() { # PACKAGE
	. /etc/os-release
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep debian | head -n 1)
	echo "deb-src ${mirror:-http://deb.debian.org/debian} $VERSION_CODENAME main" >list
	mkdir -p lists/partial
	own="-o Dir::Etc::SourceList=$PWD/list -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$PWD/lists"
	# shellcheck disable=SC2086 # words of options
	timeout 300 apt-get -qq $own update >apt.log 2>&1 && timeout 300 apt-get -qq $own source --download-only "$1" >>apt.log 2>&1
}

ls perl_*.orig.tar.xz >/dev/null 2>&1 || fetch perl || left_out "no source of Perl from the mirror: $(tail -n 1 apt.log)"
tar xf perl_*.orig.tar.xz && cd perl-*/ || fail "cannot unpack"
began=$(date +%s)
sh Configure -des -Dusedtrace="$DTRACE" -Dcc=gcc -Doptimize=-O1 -Accflags="-isystem $checkout/include" -Dprefix="$work/installed" >configure.log 2>&1 ||
	fail "Configure: $(tail -n 5 configure.log)"
grep -q "^usedtrace='define'" config.sh || fail "Configure does not use our dtrace"
grep -q "^dtraceobject='define'" config.sh || fail "Configure says that our dtrace -G makes no object"
make -j2 miniperl >make.log 2>&1 || fail "make: $(tail -n 5 make.log)"
echo "perl: configured and built in $(($(date +%s) - began)) s"

cat >count.pl <<'P'
sub one { return $_[0] + 1 }
sub two { return one(one($_[0])) }
my $n = 0;
$n = two($n) for 1 .. 1000;
print "$n\n";
P
"$DTRACE" -q -o got -n 'perl$target:::sub-entry { @entry[copyinstr(arg0), basename(copyinstr(arg1)), copyinstr(arg3)] = count(); }
	perl$target:::sub-return { @return[copyinstr(arg0)] = count(); }
	perl$target:::phase-change { printf("%s to %s\n", stringof(args[1]), stringof(args[0])); }
	perl$target:::op-entry /copyinstr(arg0) == "entersub"/ { @op = count(); }
	END { printa("entry %s %s %s %@d\n", @entry); printa("return %s %@d\n", @return); printa("op %@d\n", @op); }' -c './miniperl count.pl' >perl.out 2>err ||
	fail "dtrace: $(cat err)"
cat >wanted <<'W'
CONSTRUCT to START
START to RUN
RUN to DESTRUCT
entry two count.pl main 1000
entry one count.pl main 2000
return two 1000
return one 2000
op 3000
W
[ -s err ] && fail "messages: $(cat err)"
grep . got | diff -u wanted - || fail "probes of the Perl that was built"
grep -qx 2000 perl.out || fail "Perl's own output"
"$DTRACE" -ln 'perl$target:::' -c './miniperl -e 1' | awk '{ print $NF }' | sort -u | grep -c - >probes
[ "$(cat probes)" -eq 6 ] || fail "$(cat probes) probes are listed"
echo "perl: 6 probes, counts and arguments as they must be"
