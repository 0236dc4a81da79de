#!/bin/sh
# builds.sh [-k FOLDER] - Perl, CPython and PostgreSQL built with our `dtrace -h` and `-G`, and what was built, traced
#
# The sources are Debian's source packages, by apt-get from the mirror of this machine (80 MB), without a change of their set-up;
# without a network they are left out, which is said.  Each set-up finds our command, its Makefile calls it, and what it built is
# traced: each probe's counts are those that the program must have.  4 to 15 minutes.  -k: keep all in FOLDER.
# $DTRACE, as root.
. "$(dirname "$0")/begin"
cd "$work" || exit 1
export LC_ALL=C

left_out() {
	echo "builds: left out: $*"
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

# source_of PACKAGE FOLDER - in FOLDER, a pattern, which is then the current one; false: there is none
source_of() {
	cd "$work" || exit 1
	# shellcheck disable=SC2086 # a pattern
	ls "$1"_*.orig.tar.* >/dev/null 2>&1 || fetch "$1" || { left_out "no source of $1 from the mirror: $(tail -n 1 apt.log)"; return 1; }
	# shellcheck disable=SC2086
	tar xf "$1"_*.orig.tar.* && cd $2 || fail "cannot unpack $1"
	began=$(date +%s)
}

built() {
	echo "$1: configured and built in $(($(date +%s) - began)) s"
}

# traced WHAT - the file got is as the file wanted, and nothing was said
traced() {
	[ -s err ] && fail "messages: $(cat err)"
	grep . got | diff -u wanted - || fail "probes of the $1 that was built"
}

flags="-O1 -isystem $checkout/include"

# --- Perl --------------------------------------------------------------------------------------

perl_whole() {
	source_of perl 'perl-*/' || return 0
	sh Configure -des -Dusedtrace="$DTRACE" -Dcc=gcc -Doptimize=-O1 -Accflags="-isystem $checkout/include" -Dprefix="$work/installed" >configure.log 2>&1 ||
		fail "Configure: $(tail -n 5 configure.log)"
	grep -q "^usedtrace='define'" config.sh || fail "Configure does not use our dtrace"
	grep -q "^dtraceobject='define'" config.sh || fail "Configure says that our dtrace -G makes no object"
	make -j2 miniperl >make.log 2>&1 || fail "make: $(tail -n 5 make.log)"
	built perl

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
	traced Perl
	grep -qx 2000 perl.out || fail "Perl's own output"
	"$DTRACE" -ln 'perl$target:::' -c './miniperl -e 1' | awk '{ print $NF }' | sort -u | grep -c - >probes
	[ "$(cat probes)" -eq 6 ] || fail "$(cat probes) probes are listed"
	echo "perl: 6 probes, counts and arguments as they must be"
}

# --- CPython -----------------------------------------------------------------------------------

# Its function-entry fires only where Python code is traced by Python, too (3.11): returns are counted.
python_whole() {
	mkdir -p "$work/bin" && ln -sf "$DTRACE" "$work/bin/dtrace" # configure looks for this name
	source_of python3.11 'Python-*/' || return 0
	PATH=$work/bin:$PATH CC=gcc CFLAGS=$flags OPT="" ./configure --with-dtrace >configure.log 2>&1 || fail "configure: $(tail -n 5 configure.log)"
	grep -q "^checking for dtrace... $work/bin/dtrace" configure.log || fail "CPython's configure does not use our dtrace"
	PATH=$work/bin:$PATH make -j2 python >make.log 2>&1 || fail "make: $(tail -n 5 make.log)"
	built python
	printf 'def one(n): return n + 1\ndef two(n): return one(one(n))\nfor i in range(1000): n = two(i)\nprint(n)\n' >count.py
	PYTHONPATH=$PWD/Lib "$DTRACE" -q -o got -n 'python$target:::function-return /basename(copyinstr(arg0)) == "count.py"/ { @return[copyinstr(arg1)] = count(); }
		python$target:::import-find-load-start /copyinstr(arg0) == "site"/ { @n["start"] = count(); }
		python$target:::import-find-load-done /copyinstr(arg0) == "site"/ { @n[arg1 ? "found" : "not found"] = count(); }
		END { printa("return %s %@d\n", @return); printa("import %s %@d\n", @n); }' -c './python count.py' >python.out 2>err || fail "dtrace: $(cat err)"
	cat >wanted <<'W'
return <module> 1
return two 1000
return one 2000
import found 1
import start 1
W
	traced CPython
	grep -qx 1001 python.out || fail "CPython's own output"
	echo "python: counts and arguments as they must be"
}

# --- PostgreSQL --------------------------------------------------------------------------------

postgres_whole() {
	source_of postgresql-15 'postgresql-15*/' || return 0
	CC=gcc CFLAGS=$flags ./configure --enable-dtrace --without-readline --without-zlib --without-icu \
		--prefix="$work/installed" >configure.log 2>&1 || fail "configure: $(tail -n 5 configure.log)"
	grep -q "^checking for DTRACE... $DTRACE" configure.log || fail "PostgreSQL's configure does not use our dtrace"
	# Its headers are not made by two at once.
	(make -C src/backend generated-headers && make -j2 && make install) >make.log 2>&1 || fail "make: $(tail -n 5 make.log)"
	built postgresql
	chmod 755 "$work"
	mkdir db && chown nobody db
	as_nobody="setpriv --reuid nobody --clear-groups" # the server refuses to be root's
	$as_nobody "$work/installed/bin/initdb" -A trust -D "$PWD/db/data" >initdb.log 2>&1 || fail "initdb: $(tail -n 3 initdb.log)"
	printf 'select 1\nselect 1\nselect 2\n' >queries
	cat >server.sh <<W
exec $as_nobody "$work/installed/bin/postgres" --single -D "$PWD/db/data" postgres <queries 2>server.log
W
	"$DTRACE" -q -Z -o got -n 'postgresql$target:::query-start { @n["start", strtok(copyinstr(arg0), "\n")] = count(); }
		postgresql$target:::query-done { @n["done", strtok(copyinstr(arg0), "\n")] = count(); }
		END { printa("%s %s %@d\n", @n); }' -c 'sh server.sh' >postgres.out 2>err || fail "dtrace: $(cat err)"
	cat >wanted <<'W'
done select 2 1
start select 2 1
done select 1 2
start select 1 2
W
	traced PostgreSQL
	echo "postgresql: counts and arguments as they must be"
}

perl_whole
python_whole
postgres_whole
