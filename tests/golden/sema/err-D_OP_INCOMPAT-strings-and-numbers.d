/* A number added to a string is a mistake, as all arithmetic is; they are reported about the written expression. */
string s;
BEGIN { trace(s + 1); trace(1 + s); trace("abc" - 1); }
BEGIN { trace(5 - "a"); trace(5 - s); trace("a" - "b"); trace(s + "b"); }
BEGIN { trace("a" * 2); trace(s / 2); trace(s % 2); trace(s << 1); trace(-s); trace(~s); }
