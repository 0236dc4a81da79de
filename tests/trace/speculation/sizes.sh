# What: impossible sizes of speculations are lowered and reported, or refused; by default all share 4m.
. "$LIB"
script='BEGIN { s = speculation(); exit(0); } END { speculate(s); trace(1); }'
trace -x nspec=65536 -n "$script"
same "$status" 0 "status of many"
contains '^dtrace: speculation size lowered to [0-9]* bytes$' err
trace -x specsize=64m -n "$script"
contains '^dtrace: speculation size lowered to' err
must_trace -x specsize=64m -x quietresize -n "$script"
must_trace -x nspec=200 -n "$script"
trace -x nspec=60000 -x specsize=64k -x bufresize=manual -n "$script"
same "$status" 1 "status of too many"
contains 'use a smaller nspec or specsize' err
