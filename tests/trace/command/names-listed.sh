# What: a name that a provider does not have: the names that it has, if they are few, or how they are listed.
. "$LIB"
trace -n io:::begin
contains 'does not match any probes (io has .*start.*)' err
trace -n tcp:::connect
contains 'does not match any probes (tcp has connect-request, .*connect-refused)$' err
trace -n sdt:::nosuch
contains 'does not match any probes (dtrace -l -P sdt lists those that there are)$' err
