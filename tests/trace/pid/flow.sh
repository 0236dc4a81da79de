# What: -F indents by entry and return, on each CPU for itself.  Needs: uprobe.
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
