unsigned short us; short s; char c; int64_t l; uint64_t ul; enum color { RED, GREEN } e;
BEGIN
{
	trace(us + s); trace(c + c); trace(s + l); trace(l + ul); trace(e + 1); trace(e);
	trace(us << l); trace(us >> ul); trace(-us); trace(~c); trace(+s); trace(!l); trace(us += l); trace(l < us); trace(l && us); trace(s / us); trace(l > ul);
}
