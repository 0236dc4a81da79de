/* What: a clause without probes is checked, too: its own mistakes are reported, the names that it defines are known */
nobody:::probe
{
	@known[args[0]->member] = count();
	known++;
	trace(not_known);
}

dtrace:::END
{
	printa(@known);
	trace(known);
}
