/* What: a part passes `this` in a slot and calls the next part if it has a clause for the probe; the last part has no next one.  Options: part=60 */
this int n;
syscall::read:entry { this->n = 1; }
syscall::read:entry, syscall::write:entry { @a[this->n] = count(); }
syscall::write:entry { this->n++; }
