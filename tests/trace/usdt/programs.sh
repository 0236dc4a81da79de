# What: static probes of Debian's programs: libstdc++'s throw and catch, CPython's, by -c, only in the traced process.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
cat >throw.cc <<'C'
#include <stdexcept>
int main()
{
	int n = 0;
	for (int i = 0; i < 50; i++)
		try {
			if (i % 2) throw std::runtime_error("x");
			throw 5;
		} catch (std::exception &) { n++; } catch (int) { n += 2; }
	return n != 75;
}
C
g++ -o throw throw.cc || skip "no C++ compiler"
must_trace -n 'libstdcxx$target:::throw, libstdcxx$target:::catch { @[probemod, probename] = count(); }
	libstdcxx$target:libstdc*:__cxa_throw:throw { @type = count(); @object[usym(arg2)] = count(); }
	END { printa("%s %s %@d\n", @); printa("by function %@d\n", @type); }' -c ./throw
contains '^libstdc++.so.6.* throw 50$'
contains '^libstdc++.so.6.* catch 50$'
contains '^by function 50$'

# The text of arguments in registers, among thousands of firings.
python=$(readlink -f /usr/bin/python3)
{ [ -x "$python" ] && readelf -SW "$python" | grep -q stapsdt; } || exit 0
cat >f.py <<'P'
def traced_function(n):
    return n + 1
for i in range(100):
    traced_function(i)
P
must_trace -n 'python$target:::function-return { @all = count(); }
	python$target:::function-return /copyinstr(arg1) == "traced_function"/ { @[basename(copyinstr(args[0])), args[2]] = count(); }
	END { printa("%s %d %@d\n", @); printa("all %@d\n", @all); }' -c "$python f.py"
contains '^f.py 2 100$'
[ "$(value_of all)" -gt 100 ] || fail "no other functions"
exit 0
