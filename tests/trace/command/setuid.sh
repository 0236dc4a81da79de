# What: a command whose setuid or setgid program gets no privileges because a user traces it is reported; of root's trace it has them.
# Needs: setpriv cc.
. "$LIB"
cat >ids.c <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void) { printf("ids %d %d\n", geteuid() == 65533, getegid() == 65532); return 0; }
C
gcc -O1 -o plain ids.c && cp plain user && cp plain group || fail "cannot compile"
chown 65533 user && chmod 4755 user && chgrp 65532 group && chmod 2755 group && cp "$DTRACE" dtrace && chmod 755 . dtrace
[ "$(setpriv --reuid 65534 --clear-groups ./user)" = "ids 1 0" ] || skip "no setuid programs here"
as_user() {
	setpriv --reuid 65534 --regid 65534 --clear-groups ./dtrace -q -n 'BEGIN { }' -c "$1" >out 2>err || fail "status $?"
}
as_user ./plain
[ ! -s err ] || fail "something on standard error"
as_user ./user
contains '^ids 0 0$'
same "$(cat err)" "dtrace: warning: $PWD/user runs without the privileges of its owner (setuid), as it is traced: dtrace must be run as root" messages
as_user ./group
contains '^ids 0 0$'
contains 'group runs without the privileges of its group (setgid)' err
must_trace -n 'BEGIN { }' -c ./user
contains '^ids 1 0$'
