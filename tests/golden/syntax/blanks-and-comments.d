/* What separates tokens:  are blanks, too. */
intx;inty;// to the end of the line: BEGIN { /*
struct/**/s/* two
lines */{ int \
a; };
BEGIN,/* here */END /* and here *//* before a predicate *// x /* in it */ > 1 // and behind
	/ /* behind it */ { /**/ }
END
/x \
== 1/
{
	x =\
	y + \
1;
	trace(x); y/*/ one slash opens it */= 2; /**/ /***/ /* **/
	a /* one */ . /* two */ b -> // three
		c;
	z = "/* no comment */ // none"; w = '//';
}
