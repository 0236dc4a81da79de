# What: jstack() names the methods that HotSpot interprets, as the process itself sees them, in each JDK that is here: recursion, constructors, static
# initializers, interfaces, threads; in records, keys and JSON; of processes that were there, and that come.  Needs: uprobe jsonschema.
. "$LIB"
command -v javac >/dev/null || skip "javac is not installed"
cat >Frames.java <<'J'
import java.io.FileInputStream;
import java.io.IOException;
public class Frames {
    interface Shape { void draw(int n); default void twice(int n) { draw(n); } }
    static class Square implements Shape {
        Square(int n) { if (n > 0) draw(n); }
        public void draw(int n) { if (n > 0) again(this, n - 1); else größe(); }
    }
    static class Begins {
        static int one = begin();
        static int begin() { größe(); return 1; }
    }
    static void again(Shape s, int n) { s.twice(n); }
    static void größe() {
        String mine = "";
        for (StackTraceElement e : new Throwable().getStackTrace())
            mine += e.getClassName() + "." + e.getMethodName() + "\n";
        try { new FileInputStream("/no such file/frames").close(); } catch (IOException e) { }
        System.out.print(mine + "end\n");
    }
    static void all() throws Exception {
        new Square(3);
        Begins.one++;
        Thread t = new Thread(null, new Runnable() { public void run() { new Square(0).draw(2); } }, "another");
        t.start();
        t.join();
    }
    public static void main(String[] a) throws Exception {
        System.out.println("ready"); // all libraries are there
        while (System.in.read() == '\n')
            if (a.length == 0)
                all();
            else
                größe();
    }
}
J
javac -encoding UTF-8 --release 11 -d classes Frames.java >log 2>&1 || fail "javac: $(cat log)"
javas=$(for j in /usr/lib/jvm/*/bin/java; do [ -x "$j" ] && realpath "$j"; done | sort -u)
[ -n "$javas" ] || skip "there is no JDK in /usr/lib/jvm"
probe='syscall::openat:entry /pid == $target && copyinstr(arg1) == "/no such file/frames"/'
options="-Xint -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 -cp classes Frames"
# Of each stack the methods from größe() on, without one that the process hides from itself.
methods() { awk '/ java.lang.Thread.runWith / { next } /^ *\[ .*\]$/ && /größe/ { on = 1 } on && /^ *\[ .*\]$/ { print $2 } on && /^$/ { print "end"; on = 0 } END { if (on) print "end" }' "$1"; }
mkfifo lines

# follow JAVA OPTION... - trace it while it runs all(), and ends; what its stacks are to show is in ./wanted
follow() {
	java=$1
	shift
	rm -f printed
	# shellcheck disable=SC2086 # words of options
	"$java" $options <lines >printed &
	target=$!
	exec 3>lines
	until_true 20 grep -qs ready printed || fail "$java does not begin"
	background "$@" -n 'BEGIN { printf("begun\n"); }' -p $target 3>&-
	until_true 20 grep -qs begun out || fail "dtrace does not begin"
	echo >&3
	exec 3>&-
	wait $target
	wait "$pid"
	same "$?" 0 "$java: status"
	grep -v ready printed >wanted
}
for java in $javas; do
	follow "$java" -n "$probe { jstack(100); printf(\"\\n\"); }"
	methods out >shown
	cmp wanted shown || fail "$java: other methods than the process sees: $(diff wanted shown | head -20)"
	same "$(grep -c '^end$' wanted) $(grep -c '\[ java.io.FileInputStream.open0 \]' out)" "3 3" "$java: stacks, with native methods"
	grep -v 'without a name, in no known file' err && fail "$java: messages"
done
# The names are of the firing: the process has ended when the aggregation is printed.
follow "$java" -n "$probe { @[jstack()] = count(); }"
same "$(methods out | grep -v end | sort)" "$(grep -v end wanted | sort)" "keys"
follow "$java" -x oformat=json -n "$probe { @[jstack()] = count(); jstack(30); }"
grep -v '^begun' out >lines.json
check_json lines.json
same "$(grep -o '"interpreted":\[{"function":"Frames.größe"}\]' out | wc -l)" 6 "JSON"
follow "$java" -n "$probe { ustack(); jstack(50, 0); }"
same "$(grep -c '^  *\[ ' out)" 0 "methods in ustack()"

# One that dtrace starts: its first stacks are copied until they can be walked, and show native frames alone.
echo "exec $java $options many <lines" >begin.sh
background -n "$probe { jstack(); printf(\"\\n\"); }" -c 'sh begin.sh'
exec 4<>lines # so that nothing written is lost
once() { # more of them, until one has names
	echo >&4
	methods out | grep -q '^Frames.größe$'
}
until_true 20 once || fail "no method of a process that dtrace starts"
printf x >&4
wait "$pid"
same "$?" 0 "status of -c"
exit 0
