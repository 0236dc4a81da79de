#!formulas
provider x {
	probe id () { on probe 7; }
	probe nothing () { on probe (); }
	probe several () { on probe tick-1s, tick-2s; }
	probe fields () { on probe a:b:c:d:e; }
	probe open () { on probe tick-1s }
	probe fine () { on probe tick-1s; }
}
