/* What: flags of a conversion may come after its width, as classic scripts write them. */
BEGIN
{
	@["sh", "R"] = sum(42); @["cat", "W"] = sum(1234567);
	printa("%-8s %1s %16@d|\n", @);
	printf("[%8-d][%6+d][%4.2-s]\n", 5, 6, "abc");
	exit(0);
}
