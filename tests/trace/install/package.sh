# What: make deb makes packages that install next to SystemTap's and in its place, work and leave no files when removed, in an
# overlay of this machine's own root.  Executors: kernel (it tests packages).
. "$LIB"
command -v dh >/dev/null || skip "no debhelper here"
here=$PWD
command -v make >/dev/null || skip "no make here"
packages=$(cd "$checkout" && make --no-print-directory -s deb 2>"$here/err" | grep -v dbgsym) || fail "no packages: $(cat err)"
same "$(echo "$packages" | wc -w)" 3 "packages: $packages $(cat err)"
for package in $packages; do
	cp "$checkout/$package" .
done

cat >inside.sh <<'END'
cd /tmp
page_is() { # NAME WHOSE: what the page says
	zcat /usr/share/man/man1/dtrace.1.gz | grep -q "$1" || echo "no page of $2"
}
# SystemTap's package has files of the same names: the command goes next to it, with its page.
dpkg -P systemtap-sdt-dev libdtrace-usdt-dev libdtrace-usdt0 dtrace >/dev/null 2>&1
mkdir -p other/DEBIAN other/usr/include/sys other/usr/bin other/usr/share/man/man1
printf 'Package: systemtap-sdt-dev\nVersion: 1\nArchitecture: all\nMaintainer: a test\nDescription: another\n' >other/DEBIAN/control
touch other/usr/include/sys/sdt.h other/usr/bin/dtrace
echo "of another" | gzip >other/usr/share/man/man1/dtrace.1.gz
dpkg-deb --build other other.deb >/dev/null && dpkg -i other.deb || exit 1
dpkg -i dtrace_*.deb || exit 1
dpkg-query -W -f '${db:Status-Status}\n' systemtap-sdt-dev | grep -q '^installed$' || echo "no dtrace next to it"
page_is TH dtrace
dpkg -r dtrace || exit 1
page_is "of another" SystemTap
# What makes programs takes its place, and what depends on it stays whole.
mkdir -p user/DEBIAN
printf 'Package: uses-sdt\nVersion: 1\nArchitecture: all\nMaintainer: a test\nDepends: systemtap-sdt-dev\nDescription: a user\n' >user/DEBIAN/control
dpkg-deb --build user user.deb >/dev/null && dpkg -i user.deb || exit 1
dpkg -i dtrace_*.deb libdtrace-usdt*.deb || exit 1
dpkg-query -W -f '${db:Status-Status}\n' systemtap-sdt-dev 2>/dev/null | grep -q '^installed$' && echo "no replacement"
dpkg -s uses-sdt | grep -q '^Status: install ok installed' || echo "no package that depends on it"
page_is TH dtrace
[ -e /usr/share/man/man1/dtrace.systemtap.1.gz ] && echo "no removal of its page"
dpkg -P uses-sdt || exit 1
for file in /usr/sbin/dtrace /usr/share/man/man1/dtrace.1.gz /usr/share/man/man7/d.7.gz \
	/usr/share/man/man3/dtrace-usdt.3.gz /usr/include/dtrace-usdt.h /usr/share/man/man7/dtrace-provider-pid.7.gz /usr/share/man/man7/dtrace-provider-syscall.7.gz \
	/usr/share/man/man8/dtrace-execsnoop.8.gz /usr/share/dtrace/execsnoop.d /usr/share/dtrace/providers/io.prov /usr/share/dtrace/providers/sdt.prov \
	/usr/share/bash-completion/completions/dtrace /usr/share/zsh/vendor-completions/_dtrace /usr/share/fish/vendor_completions.d/dtrace.fish \
	/usr/include/dtrace/sdt.h /usr/include/sys/sdt.h /usr/bin/dtrace /usr/share/doc/dtrace/copyright /usr/share/doc/dtrace/docs/guide/README.md /lib/systemd/system/dtrace-anonymous.service \
	/lib/systemd/system/dtrace-export@.service /usr/share/dtrace/export/tcp.d /usr/share/dtrace/export/dashboard.json; do
	[ -s "$file" ] || echo "no $file"
done
[ "$(stat -c %s /usr/sbin/dtrace)" -le 2300000 ] || echo "a command of more than 2.3 MB"
# The version is that of NEWS.md everywhere.
version=$(sed -n 's/^## //p' /usr/share/doc/dtrace/NEWS.md | head -n 1)
/usr/sbin/dtrace -Vv | grep -qx "Release:   $version" || echo "another version of dtrace -Vv"
dpkg-query -W -f '${Version}' dtrace | grep -q "^$version~" || echo "another version of the package"
for page in man1/dtrace.1 man8/dtrace-execsnoop.8; do
	zcat "/usr/share/man/$page.gz" | grep -q "^\.TH .*\"dtrace $version\"" || echo "another version of $page"
done
grep -qx "Version: $version" /usr/lib/*/pkgconfig/dtrace-usdt.pc || echo "another version of dtrace-usdt.pc"
# Programs build with the library as with any of the system, also those for libusdt and libstapsdt.
cat >/tmp/program.c <<'C'
#include <dtrace-usdt.h>
#include <libstapsdt.h>
#include <usdt.h>
int main(void)
{
	SDTProvider_t *p = providerInit("packaged");
	return !dtusdt_provider("packaged") || !usdt_create_provider("packaged", "m") || !providerAddProbe(p, "a", 0) || providerLoad(p);
}
C
if command -v gcc >/dev/null; then
	folder=$(echo /usr/lib/*/dtrace-usdt)
	for libraries in -ldtrace-usdt "-L$folder -lstapsdt" "-L$folder -lusdt" "-L$folder -static -lusdt"; do
		gcc -I/usr/include/dtrace-usdt -o /tmp/program /tmp/program.c $libraries && /tmp/program || echo "no program with $libraries"
	done
	command -v pkg-config >/dev/null && [ "$(pkg-config --libs-only-l dtrace-usdt)" != "-ldtrace-usdt " ] && echo "no use of pkg-config"
fi
/usr/sbin/dtrace -qn 'BEGIN { printf("it works\n"); exit(0); }'
cd / && /usr/sbin/dtrace -s execsnoop -c /bin/true
# Types are read by the system's libdw, which is loaded when they are needed; without it they are refused by the package's name.
if command -v gcc >/dev/null; then
	printf 'int f(int x) { return x; }\nint main(void) { return f(3) - 3; }\n' >/tmp/typed.c
	gcc -g -O0 -o /tmp/typed /tmp/typed.c
	typed() { /usr/sbin/dtrace -qn 'pid$target:typed:f:entry { printf("typed %d\n", args[0]); }' -c /tmp/typed 2>&1; }
	typed | grep -qx 'typed 3' || echo "no types: $(typed)"
	rm /usr/lib/*/libdw.so.1
	typed | grep -q 'args\[0\] has no type.*: install the package libdw1$' || echo "no refusal: $(typed)"
	/usr/sbin/dtrace -qn 'pid$target:typed:f:entry { printf("untyped %d\n", arg0); }' -c /tmp/typed | grep -qx 'untyped 3' || echo "no use without libdw"
fi
# The copies of the providers are those that are built in, and one can begin with one.
mkdir -p /etc/dtrace/providers
sed 's/^provider io /provider mydisk /' /usr/share/dtrace/providers/io.prov >/etc/dtrace/providers/mydisk.prov
/usr/sbin/dtrace -ln mydisk:::start
rm -r /etc/dtrace/providers
mkdir -p /etc/systemd/system
/usr/sbin/dtrace -A -n 'BEGIN { }' && ls /etc/systemd/system/dtrace-anonymous.service /etc/dtrace/anonymous.d/saved
sed 1d /etc/systemd/system/dtrace-anonymous.service >/tmp/ours
sed 1d /lib/systemd/system/dtrace-anonymous.service | cmp - /tmp/ours
dpkg -P libdtrace-usdt-dev libdtrace-usdt0 dtrace || exit 1
dpkg-divert --list dtrace
ls -d /usr/sbin/dtrace /usr/bin/dtrace /usr/share/man/man1/dtrace* /usr/share/dtrace /usr/share/doc/dtrace /usr/lib/dtrace /etc/systemd/system/dtrace-anonymous.service \
	/etc/dtrace/anonymous.d/saved /usr/share/zsh/vendor-completions/_dtrace 2>/dev/null
END
cat >outside.sh <<'END'
mount -t tmpfs none upper && mkdir upper/files upper/work upper/root || exit 77
mount -t overlay -o lowerdir=/,upperdir=upper/files,workdir=upper/work none upper/root || exit 77
for folder in proc sys dev; do
	mount --rbind /$folder upper/root/$folder || exit 77
done
mount -t tmpfs none upper/root/tmp && cp ./*.deb inside.sh upper/root/tmp || exit 1
chroot upper/root sh /tmp/inside.sh
END
mkdir upper
before=$(dpkg-query -W dtrace 2>&1)
unshare -m sh outside.sh >out 2>err
status=$?
[ "$status" = 77 ] && skip "no overlay of the root here: $(tail -n 1 err)"
same "$status" 2 "what is left after the packages have gone: $(cat out err)"
same "$(grep -c '^no \|differ' out)" 0 "missing files: $(cat out)"
contains '^it works$' out
contains '^ *[0-9]* *mydisk .* start$' out
contains '^ *TIME(s) .* PID .*ARGS$' out
contains '^/etc/dtrace/anonymous.d/saved$' out
same "$(dpkg-query -W dtrace 2>&1)" "$before" "what this machine itself has"
