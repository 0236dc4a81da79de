# What: -x setenv and -x unsetenv change the environment of a -c process; -x cshell splits only at blanks.
. "$LIB"
export GONE=here KEPT=here
must_trace -x setenv=NEW=1 -x unsetenv=GONE -n 'BEGIN { }' -c "sh -c 'echo \$NEW,\$GONE,\$KEPT'"
same "$(head -n 1 out)" '1,,here' environment
must_trace -x cshell -n 'BEGIN { }' -c "echo 'a  b'"
same "$(head -n 1 out)" "'a b'" words
trace -x setenv=NEW -n 'BEGIN { }' -c true
same "$status" 1 "status of a name without value"
contains "failed to set -x setenv: Invalid value for specified option ('NEW' is not NAME=VALUE)" err
