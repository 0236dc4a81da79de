/* What: slots whose offsets need more than 16 bits.  Options: strsize=40000 */
syscall::openat:entry { this->path = copyinstr(arg1); trace(strjoin(this->path, dirname(this->path))); }
