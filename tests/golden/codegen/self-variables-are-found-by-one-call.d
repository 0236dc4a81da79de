/* What: self variables are found by one call; 0 does not make a thread's block. */
syscall::read:entry { self->ts = timestamp; self->fd = arg0; }
syscall::read:return /self->ts/ { @[self->fd] = quantize(timestamp - self->ts); self->ts = 0; }
