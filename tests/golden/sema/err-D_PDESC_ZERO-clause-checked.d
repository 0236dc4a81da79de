/* What: a clause whose probe is not there is checked, too: its own mistakes are told, what it defines is known */
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
