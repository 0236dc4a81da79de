/* What: 420 bytes of stack for the run-time functions: this variable, temporaries, key and record are in the slot.  Options: stack=420 */
BEGIN { this->a = 1; @[this->a + (this->a + (this->a * (this->a - (this->a + this->a))))] = sum(pid); }
