# What: files and processes that are not there.
"$DTRACE" -s ./no-such-script.d
"$DTRACE" -s .
"$DTRACE" -o no-such-folder/file -n BEGIN
"$DTRACE" -p 12x -n BEGIN
"$DTRACE" -C -x cpppath=no-such-cpp -s /dev/null
"$DTRACE" -V
"$DTRACE" -e
"$DTRACE" -e "BEGIN { nonsense }"
"$DTRACE" -p " 4194305 " -n BEGIN
