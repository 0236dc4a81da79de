a-b:c.d:?e*[!f-g][x]:h, -x, .x, ?, *, [a]*, !x, $target, _a, \*x\:y, Z9:::
{ }
::f`g:h { }
a:::`h{ }
tick-5ms/x/{}
:::{}
:{}
