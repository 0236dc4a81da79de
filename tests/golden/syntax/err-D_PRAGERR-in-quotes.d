/* The word of a control line in quotes, or after a comment: no text is known. */
#"error" stop
BEGIN
{
	exit(0);
}
