fake::read:entry
{
	trace(args[0]); trace(args[2]); trace(args[1] == 0); trace(*args[1]); trace(stringof(args[1]));
	trace(copyinstr(args[1])); trace(args[1][2]); x = args[1];
	trace(arg0); trace(arg9);
}
fake::exit:entry { trace(args[0]); trace(args[2]); }
