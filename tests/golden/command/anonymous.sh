# What: messages of -A and -a about their work and their refusals; -A needs no privileges.
saves() {
	"$DTRACE" -A -o saved "$@" 2>&1 | sed "s,$PWD,HERE,g"
}
saves
saves -n BEGIN
saves -q -n 'BEGIN { trace($1); }' 7 && sed 's/^\(macro [a-z]*=\).*/\1N/' saved
saves -i 1
saves -c true -n BEGIN
saves -p $$ -n BEGIN
saves -n 'BEGIN { system("true"); }'
saves -n 'nothing:::entry' -Z
saves
ls
"$DTRACE" -a -n BEGIN
echo "status $?"
"$DTRACE" -x anon=run -x anonfile=saved
echo "status $?"
"$DTRACE" -x anon=run -n BEGIN
echo "status $?"
"$DTRACE" -x anon=perhaps
echo "status $?"
