unsigned float x; signed string s;
