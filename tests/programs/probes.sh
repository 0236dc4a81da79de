#!/bin/sh
# probes.sh [PROGRAM...] - static probes of Debian's programs: all that a file declares are listed, and what fires is counted exactly
#
# PostgreSQL under pgbench, PHP, Ruby, libvirt, OpenJDK.  Programs that are not installed are taken from their packages, where they run
# from a folder (packages); others are left out, which is said.  Our own processes only, on a socket file.  $DTRACE, as root.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/packages"
export LC_ALL=C

# had COMMAND PACKAGE...
had() {
	command=$1
	shift
	command -v "$command" >/dev/null || { [ $# -gt 0 ] && unpacked "$@"; } && return
	echo "$one: left out: $command is not installed"
	return 1
}

fail() {
	echo "$one: FAILED: $*"
	[ -s err ] && head -n 20 err
	bad=1
	return 1
}

# trace OPTION... - output in got, without empty lines and blanks at the beginnings; messages in err
trace() {
	timeout 200 "$DTRACE" -q -o got.raw "$@" >program.out 2>err || fail "dtrace's status" || return
	[ ! -s err ] || fail "messages" || return
	sed 's/^ *//' got.raw | grep . | sort >got
}

wanted() {
	sort >wanted
	diff -u wanted got || fail "other lines"
}

# listed PROVIDER FILE OPTION... - of FILE, which the process maps, are listed: the probes that its notes have
listed() {
	provider=$1 file=$2
	shift 2
	readelf -n "$file" | awk -v p="$provider" '$1 == "Provider:" { ours = $2 == p } $1 == "Name:" && ours { gsub("__", "-", $2); print $2 }' | sort -u >wanted
	[ -s wanted ] || fail "readelf finds no probes" || return
	timeout 100 "$DTRACE" -l -n "$provider\$target:$(basename "$file")::" "$@" 2>err >list || fail "no list" || return
	awk 'NR > 1 { print $NF }' list | sort -u >got
	diff -u wanted got && echo "$one: $(grep -c . wanted) probes listed"
}

# A worker for each client, which joins when the postmaster forks it.
postgres_run() {
	had postgres || return
	bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
	chmod 755 .. . && mkdir db && chown postgres db
	as_postgres="setpriv --reuid postgres --regid postgres --clear-groups env PGHOST=$PWD/db"
	{
		$as_postgres "$bin/initdb" -A trust -D db/data
		$as_postgres "$bin/pg_ctl" -D db/data -w -l db/log -o "-c listen_addresses= -k $PWD/db" start
	} >postgres.log 2>&1 || fail "it does not start: $(tail -n 3 postgres.log)" || return
	$as_postgres "$bin/pgbench" -q -i postgres >/dev/null 2>&1
	master=$(head -n 1 db/data/postmaster.pid)
	timeout 200 "$DTRACE" -q -x follow=tree -x strsize=1000 -o got -n 'BEGIN { system("echo begun >begun"); }
		postgresql$target:::query-start { self->at = timestamp; @start[strtok(copyinstr(arg0), " ")] = count(); }
		postgresql$target:::query-done /self->at/ { @done[strtok(copyinstr(arg0), " ")] = count(); @ns = quantize(timestamp - self->at); self->at = 0; }
		END { printa("start %s %@d\n", @start); printa("done %s %@d\n", @done); printa(@ns); }' -w -p "$master" >program.out 2>err &
	tracer=$!
	for _ in $(seq 1000); do [ -s begun ] && break; sleep 0.05; done
	$as_postgres "$bin/pgbench" -n -c 4 -j 2 -t 200 postgres >bench 2>&1 || fail "pgbench"
	$as_postgres "$bin/pg_ctl" -D db/data -m fast stop >/dev/null
	wait $tracer || fail "dtrace's status"
	[ ! -s err ] || fail "messages"
	grep -q 'tps = ' bench || fail "pgbench's own output"
	grep -q 'value.*Distribution' got || fail "no latencies"
	grep -q '@@' got || fail "no latencies"
	sed -n '/^start \|^done /{s/;//;p}' got | grep -v ' select ' | sort >lines && mv lines got
	# pgbench asks for its table (select) before it begins
	for verb in BEGIN END INSERT SELECT; do echo "start $verb 800" && echo "done $verb 800"; done >two
	{ cat two && echo "start UPDATE 2400" && echo "done UPDATE 2400"; } | wanted && echo "$one: pgbench, 4 workers, 5,600 statements"
	listed postgresql "$bin/postgres" -c "$bin/postgres --version"
}

php_run() {
	had php8.2 php8.2-cli || return
	cat >f.php <<-'P'
		<?php
		function work($n) { return $n + 1; }
		class Pair { function both($x) { return work($x) + work($x); } }
		$p = new Pair; $s = 0;
		for ($i = 0; $i < 1000; $i++) { $s += $p->both($i); }
		try { throw new Exception("odd"); } catch (Exception $e) { }
	P
	export USE_ZEND_DTRACE=1
	trace -n 'php$target:::request-startup { printf("request %s\n", basename(copyinstr(arg0))); }
		php$target:::function-entry, php$target:::function-return { @[probename, copyinstr(arg3), copyinstr(arg0), basename(copyinstr(arg1))] = count(); }
		php$target:::exception-thrown { printf("thrown %s\n", copyinstr(arg0)); }
		END { printa("%s %s %s %s %@d\n", @); }' -c "php8.2 -n f.php" || return
	sed 's/  */ /' got | sort >lines && mv lines got
	wanted <<-W && echo "php: calls by name and class"
		request f.php
		thrown Exception
		function-entry main f.php 1
		function-return main f.php 1
		function-entry work f.php 2000
		function-return work f.php 2000
		function-entry Pair both f.php 1000
		function-return Pair both f.php 1000
	W
	listed php "$(command -v php8.2)" -c "php8.2 -n f.php"
}

ruby_run() {
	had ruby3.1 ruby3.1 || return
	echo '1000.times { |i| [i].index(i) }; i = 0; (Math.sqrt(i); i += 1) while i < 500' >f.rb
	trace -n 'ruby$target:::cmethod-entry /basename(copyinstr(arg2)) == "f.rb"/ { @[copyinstr(arg0), copyinstr(arg1)] = count(); }
		END { printa("%s %s %@d\n", @); }' -c "ruby3.1 --disable-gems f.rb" || return
	grep '^Array index \|^Math ' got >lines && mv lines got
	printf 'Array index 1000\nMath sqrt 500\n' | wanted && echo "ruby: calls by class and name"
	listed ruby "$(ls root/usr/lib/*/libruby-3.1.so.3.1.* /usr/lib/*/libruby-3.1.so.3.1.* 2>/dev/null | head -n 1)" -c "ruby3.1 --disable-gems f.rb"
}

libvirt_run() {
	had virsh libvirt-clients && had libvirtd libvirt-daemon || return
	trace -n 'libvirt$target:::object_new { @[copyinstr(arg1)] = count(); } END { printa("%s %@d\n", @); }' -c "virsh -q -c test:///default list" || return
	grep -x 'virConnect 1\|virDomainObj 1\|virNodeDeviceObj 4' got >lines && mv lines got
	printf 'virConnect 1\nvirDomainObj 1\nvirNodeDeviceObj 4\n' | wanted && echo "libvirt: objects by class"
	listed libvirt "$(ldd "$(command -v virsh)" | awk '$1 == "libvirt.so.0" { print $3 }' | xargs readlink -f)" -c "virsh -q -c test:///default list"
	listed libvirt "$(command -v libvirtd)" -c "libvirtd --version"
}

java_run() {
	had java && had javac || return
	echo 'public class Code { static int f(int n) { return n + 1; } public static void main(String[] a) throws Exception { int s = 0; for (int i = 0; i < 1000; i++) s = f(s); System.out.println(s); if (a.length > 0) Thread.sleep(100000); } }' >Code.java
	javac Code.java || fail "javac" || return
	# the launcher loads libjvm.so after it has begun
	trace -Z -n 'hotspot$target:::method-entry /copyinstr(arg1, arg2) == "Code"/ { @[copyinstr(arg3, arg4)] = count(); }
		hotspot$target:::vm-init-begin, hotspot$target:::vm-shutdown { @[probename] = count(); }
		END { printa("%s %@d\n", @); }' -c "java -XX:+ExtendedDTraceProbes -cp . Code" || return
	printf 'f 1000\nmain 1\nvm-init-begin 1\nvm-shutdown 1\n' | wanted && echo "java: methods by name"
	java -cp . Code stay >stays &
	java=$!
	for _ in $(seq 1000); do grep -qs 1000 stays && break; sleep 0.05; done
	library=$(awk '/libjvm.so$/ { print $NF; exit }' /proc/$java/maps)
	for provider in hotspot hs_private; do listed $provider "$library" -p $java; done
	kill $java
	wait $java 2>/dev/null
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
[ $# -gt 0 ] || set -- postgres php ruby libvirt java
for one; do
	mkdir "$one"
	cd "$one" || exit 1
	"${one}_run"
	cd ..
done
[ $bad -eq 0 ]
