# What: -c honours quotes and backslashes, but runs no shell.
. "$LIB"
must_trace -n 'BEGIN { }' -c "printf '%s|' one 'two three' \"four five\" six\\ seven \$HOME *"
same "$(head -n 1 out)" 'one|two three|four five|six seven|$HOME|*|' words
