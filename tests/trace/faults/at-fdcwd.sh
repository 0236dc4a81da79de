# What: a path read where openat() has its directory, AT_FDCWD or a descriptor: the message says which argument is the path.
. "$LIB"
trace -n 'syscall::open*:entry /pid == $target/ { trace(copyinstr(arg0)); } syscall::openat:entry /pid == $target/ { trace(copyinstr((int)arg0)); }' -c 'cat /etc/passwd'
contains 'openat:entry): invalid address (0x\(ffffffff\)\{0,1\}ffffff9c) in action #1 (line 1): that is AT_FDCWD, a directory; openat.s path is arg1' err
contains 'openat:entry): invalid address (0xffffffffffffff9c) in action #1 (line 1): that is AT_FDCWD, a directory; openat.s path is arg1' err
touch a
trace -n 'syscall::rename*:entry /pid == $target/ { trace(copyinstr(arg2)); }' -c 'mv a b'
contains 'that is AT_FDCWD, a directory; renameat2.s paths are arg1 and arg3' err
trace -n 'syscall::symlinkat:entry /pid == $target/ { trace(copyinstr(arg1)); }' -c 'ln -s a c'
contains 'that is AT_FDCWD, a directory; symlinkat.s path is arg2' err
mkdir -p d/e
trace -n 'syscall::unlinkat:entry /pid == $target/ { trace(copyinstr(arg0)); }' -c 'rm -r d'
contains 'invalid address (0x[3-9]) in action #1 (line 1): that may be a directory.s descriptor; unlinkat.s path is arg1' err
trace -n 'syscall::read:entry /pid == $target/ { trace(copyinstr(arg0)); }' -c 'cat /etc/passwd'
grep descriptor err && fail "a call without a directory"
trace -n 'BEGIN { trace(copyinstr(0xffffff9c)); } BEGIN { exit(0); }'
grep AT_FDCWD err && fail "an address of another probe"
exit 0
