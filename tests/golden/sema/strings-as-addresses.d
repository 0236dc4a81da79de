#!-K
BEGIN { this->p = alloca(16); bcopy(probename, this->p, 6); bcopy("text", this->p, 5); bcopy(strjoin("a", execname), this->p, 3); }
BEGIN { copyout("text", arg0, 4); copyout(execname, arg0, 4); inet_ntoa(0); }
