/* How many bytes are to be copied must be known, and in6_addr is one. */
this userland int *p;
BEGIN { trace(inet_ntop(arg0, this->p)); trace(inet_ntoa6(this->p)); }
