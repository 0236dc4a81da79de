# What: arguments, macros, preprocessed scripts, pragmas, libraries have their meaning at the time of saving, whoever runs and claims. Needs: unshare.
. "$LIB"
own_pins
mkdir lib
echo 'inline int seven = 7;' >lib/seven.d
cat >a.d <<'D'
#pragma D option strsize=32
#pragma D option quiet
BEGIN
{
	printf("%d %s %d %s %d\n", $1, $$2, seven, WORD, $pid);
	printf("%s\n", "two
lines	and a tab");
}
BEGIN { @[$uid, "key"] = sum(42); }
tick-10ms { self->x = "s"; @s[self->x, ustackdepth] = count(); }
profile-1 { @v[strlen(execname) > 64] = quantize(vtimestamp); }
syscall::getppid:entry { this->spec = speculation(); speculate(this->spec); trace(1); }
END { printa("%d %s %@d\n", @); }
D
sed -i 's/"two$/"two\\n"/; /^lines/d; s/"two\\n"/"two\\nlines\\tand a tab");/' a.d
"$DTRACE" -A -o saved -L lib -C -D 'WORD="word"' -s a.d 11 'a b' 2>err || fail "status $?"
recorded=$(sed -n 's/^macro pid=//p' saved)
cd /
"$DTRACE" -x anonfile="$OLDPWD/saved" -x anon=run 2>"$OLDPWD/err" || fail "status of anon=run"
cd "$OLDPWD" || exit 1
sleep 0.1
trace -ae
same "$status" 0 "status of -ae"
same "$(head -n 3 out)" "11 a b 7 word $recorded
two
lines	and a tab" "what BEGIN printed"
contains '^0 key 42$'
