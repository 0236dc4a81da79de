# What: -F indents by entry and return, on each CPU for itself; a clause whose loop prints, too.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
taskset -c 0 "$DTRACE" -F -n 'pid$target::outer:entry, pid$target::outer:return, pid$target::inner:entry, pid$target::inner:return { }' \
	-c "$TRIGGERS/calls 2" >out 2>err
same "$?" 0 status
same "$(head -n 1 out)" 'CPU FUNCTION                                 ' header
sed -n '2,9p' out | sed 's/^ *[0-9]* //; s/ *$//' >got
cat >wanted <<'TEXT'
 -> outer
   -> inner
   <- inner
 <- outer
 -> outer
   -> inner
   <- inner
 <- outer
TEXT
diff -u wanted got || fail "indentation"

taskset -c 0 "$DTRACE" -F -n 'pid$target:a.out:outer:entry, pid$target:a.out:outer:return { for (this->i = 0; this->i < 2; this->i++) printf("p%d", this->i); }' -c "$TRIGGERS/calls 1" >out 2>err
same "$(sed '1d; s/^ *[0-9]* //; s/ *$//; s/    */ /' out | tr '\n' '|')" " -> outer p0|p1| <- outer p0|p1||" "passes of a loop"
