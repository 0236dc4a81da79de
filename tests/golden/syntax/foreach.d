int foreach, in;
BEGIN
{
	foreach (k in a) x++;
	foreach (k, l, in in in) { if (k) break; foreach (m in b) continue; }
	foreach = in + 1;
	foreach ++;
}
