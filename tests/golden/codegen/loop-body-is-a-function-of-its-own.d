/* What: a body is called for each pass, works in the frame of the clause, and leaves its faults to it */
BEGIN
{
	this->n = 3;
	for (this->i = 0; this->i < this->n; this->i++)
		x = 10 / this->i;
}
