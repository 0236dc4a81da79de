# What: gethostlatency shows each look-up of a host by every process that maps a C library, here a private copy: found or not, of a process of -c and of one that starts later.  Needs: uprobe python3.
. "$LIB"
cat >child.py <<'E2'
import socket
for _ in range(3):
    socket.getaddrinfo("127.0.0.1", 80)
for _ in range(2):
    try:
        socket.getaddrinfo("127.0.0.1", 80, socket.AF_INET6, 0, 0, socket.AI_NUMERICHOST)
    except socket.gaierror:
        pass
E2
python=$(python3 -c 'import sys; print(sys.executable)')
library_of() { ldd "$python" | awk -v name="$1" '$0 ~ name { for (i = 1; i <= NF; i++) if ($i ~ /^\//) { print $i; exit } }'; }
linker=$(library_of ld-linux) libc=$(library_of 'libc\.so')
[ -n "$linker" ] && [ -n "$libc" ] || skip "python3 is not of glibc"
cp -L "$linker" linker && cp -L "$libc" libc.so.6 || fail "no copies"
tool gethostlatency -f "$PWD/libc.so.6" -c "./linker --library-path $PWD $python child.py"
same "$(grep -c ' getaddrinfo  *[0-9]*\.[0-9]* *found 127\.0\.0\.1$' out)" 3 "found"
same "$(grep -c ' getaddrinfo  *[0-9]*\.[0-9]* *failed 127\.0\.0\.1$' out)" 2 "not found"
contains '^ *5 calls, [0-9]* us$'

background -s gethostlatency -f "$PWD/libc.so.6"
until_true 10 grep -qs LAT out || fail "it does not begin: $(cat err)"
./linker --library-path "$PWD" "$python" child.py
./linker --library-path "$PWD" "$python" child.py
all() { [ "$(grep -c ' getaddrinfo .* 127\.0\.0\.1$' out)" = 10 ]; }
until_true 10 all || fail "$(grep -c getaddrinfo out) of 10 look-ups of other processes"
kill -INT "$pid"
wait "$pid"
contains '^ *10 calls, [0-9]* us$'
