a-b:c.d:?e*[!f-g][x]:h, -x, .x, ?, *, [a]*, !x, $target, _a, \*x\:y, Z9:::
{ }
::f`g:h { }
a:::`h{ }
tick-5ms/x/{}
:::{}
:{}
pid1:/usr/lib/x86_64-linux-gnu/libstdc++.so.6:f_1:entry, ::/bin/a.b:c { }
a:::/b/ { }
a:::/x?b:c/ { }
a::://b: { }
{ }
uprobe:/bin/c { }
