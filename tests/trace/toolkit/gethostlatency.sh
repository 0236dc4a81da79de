# What: gethostlatency shows each look-up of a host by a process, found or not.  Needs: uprobe python3.
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
tool gethostlatency -c "$(command -v python3) child.py"
same "$(grep -c ' getaddrinfo  *[0-9]*\.[0-9]* *found 127\.0\.0\.1$' out)" 3 "found"
same "$(grep -c ' getaddrinfo  *[0-9]*\.[0-9]* *failed 127\.0\.0\.1$' out)" 2 "not found"
contains '^ *5 calls, [0-9]* us$'
