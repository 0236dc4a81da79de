#pragma D argument fine "-a" "a switch"
#pragma D argument pid "-m MS" "a name that exists"
#pragma D argument targets "-m MS" "and this"
#pragma D argument 1x "-m MS" "not a name"
#pragma D argument b "m" "no option"
#pragma D argument b "-m MS US" "two values"
#pragma D argument b "-m -n MS" "two letters"
#pragma D argument b "--help" "that of usage"
#pragma D argument b "" "nothing"
#pragma D argument b "-b N" "no value" default
#pragma D argument b "-b N" "not a number" default x from 1 to 2
#pragma D argument b "-b N" "outside of its range" default 0 from 1 to 2
#pragma D argument b "-b N" "half a range" default 1 from 2
#pragma D argument b "-b" "a switch has no default" default 1
#pragma D argument b "-b N" "more words" default 1 from 1 to 2 or 3
#pragma D argument b "-a N" "the letter of $fine"
#pragma D argument fine "-c" "the name of $fine"
#pragma D argument b "-b"
#pragma D argument
BEGIN { trace($fine); trace($b); trace($find); }
