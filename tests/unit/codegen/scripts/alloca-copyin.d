/* What: memory of the slot; pointers into it are checked when they are written through. */
syscall::write:entry { this->p = (int *)alloca(16); *this->p = 5; bcopy(this->p, this->p + 2, 8); }
syscall::write:entry { this->q = (char *)copyin(arg1, 10); this->q[3] = 0; trace(stringof(this->q)); }
syscall::write:entry { trace(*(int *)copyin(arg1, arg2)); }
