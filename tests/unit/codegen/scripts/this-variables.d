/* What: numbers in the frame, zeroed at each firing; narrow ones stay extended when changed. */
this short narrow;
BEGIN { this->x = 5; this->narrow = -1; this->narrow++; }
BEGIN { trace(this->x); trace(this->narrow); }
