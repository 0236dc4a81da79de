pid$targets::f:entry, BEGIN, $targets:${targets}x::
{
}
BEGIN
{
	trace($targets);
}
