# What: -A saves text, options and arguments; replaces earlier programs and keeps comments; refuses programs that cannot mean the same later, and then does not change the file.
. "$LIB"
printf '# mine\n' >saved
trace -A -o saved -b 1m -x strsize=64 -n 'BEGIN {
	trace($1); trace($$2);
}' 12 'two words'
same "$status" 0 status
same "$(head -n 1 err)" "dtrace: saved anonymous enabling in saved" message
contains '^# mine$' saved
contains '^option bufsize=1m$' saved
contains '^option strsize=64$' saved
contains '^argument two words$' saved
[ -s out ] && fail "something on standard output"

# -q does not silence it (class error)
echo 'BEGIN { trace(TEXT); }' >a.d
trace -qA -o saved -C -D 'TEXT="from cpp"' -s a.d
same "$(head -n 2 err)" "dtrace: cleaned up old anonymous enabling in saved
dtrace: saved anonymous enabling in saved" messages
same "$(grep -c '^dtrace-anonymous' saved)" 1 "enablings in the file"
contains 'from cpp' saved
grep -q 'bufsize' saved && fail "an old option is still there"
cp saved before

refused() {
	words=$1
	shift
	trace -A -o saved "$@"
	same "$status" 1 "status of $*"
	contains "$words" err
	cmp -s saved before || fail "the file changed: $*"
}
refused 'probes of a process' -n "pid$$:a.out:nothing:entry { n++; }" -Z
refused 'by its number' -i 1
refused 'has no meaning with -A' -n 'BEGIN { n++; }' -c true
refused 'has no meaning with -A' -n 'BEGIN { n++; }' -p $$
refused 'syntax\|expected\|does not match' -n 'BEGIN { + }'
refused 'Destructive actions not allowed' -n 'BEGIN { system("true"); }'
refused 'exceeds size of buffer' -b 16 -x strsize=8192 -n 'BEGIN { s = probename; trace(s); }'

echo 'root:x:0:0' >foreign
cp foreign before
trace -A -o foreign -n 'BEGIN { n++; }'
same "$status" 1 "status with a file of others"
cmp -s foreign before || fail "a file of others changed"
trace -A -o /dev/null -n 'BEGIN { n++; }'
same "$status" 1 "status with a device"
[ -c /dev/null ] || fail "the device is gone"

# without programs it only cleans
trace -A -o saved
same "$status" 0 status
same "$(cat err)" "dtrace: cleaned up old anonymous enabling in saved" message
same "$(cat saved)" "# mine" "what is kept"
trace -A -o saved
[ -s err ] && fail "there was nothing to clean"
trace -A -o new -n 'BEGIN { n++; }'
trace -A -o new
[ -e new ] && fail "an empty file is left"

# folders are not made for -o
refused_folder=$PWD/none
trace -A -o "$refused_folder/saved" -n BEGIN
same "$status" 1 "status of -o in no folder"
contains "failed to open output file '$refused_folder/saved': No such file or directory" err
[ -e "$refused_folder" ] && fail "the folder was made"
exit 0
