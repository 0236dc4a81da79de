/* What: numbers in the frame, zeroed at each firing; narrow ones stay extended when changed.  Options: prologue=1 */
this short narrow;
BEGIN { this->x = 5; this->narrow = -1; this->narrow++; }
BEGIN { y = this->x + this->narrow; }
