/* SPDX-License-Identifier: BSD-2-Clause */
/* signal - numbers of signals, as on x86-64 and aarch64 */
inline int SIGHUP = 1;
inline int SIGINT = 2;
inline int SIGQUIT = 3;
inline int SIGILL = 4;
inline int SIGTRAP = 5;
inline int SIGABRT = 6;
inline int SIGIOT = 6;
inline int SIGBUS = 7;
inline int SIGFPE = 8;
inline int SIGKILL = 9;
inline int SIGUSR1 = 10;
inline int SIGSEGV = 11;
inline int SIGUSR2 = 12;
inline int SIGPIPE = 13;
inline int SIGALRM = 14;
inline int SIGTERM = 15;
inline int SIGSTKFLT = 16;
inline int SIGCHLD = 17;
inline int SIGCLD = 17;
inline int SIGCONT = 18;
inline int SIGSTOP = 19;
inline int SIGTSTP = 20;
inline int SIGTTIN = 21;
inline int SIGTTOU = 22;
inline int SIGURG = 23;
inline int SIGXCPU = 24;
inline int SIGXFSZ = 25;
inline int SIGVTALRM = 26;
inline int SIGPROF = 27;
inline int SIGWINCH = 28;
inline int SIGIO = 29;
inline int SIGPOLL = 29;
inline int SIGPWR = 30;
inline int SIGSYS = 31;

/* The name of a signal, or its number. */
inline string signal_name[int e] =
	e == 1 ? "SIGHUP" : e == 2 ? "SIGINT" : e == 3 ? "SIGQUIT" : e == 4 ? "SIGILL" :
	e == 5 ? "SIGTRAP" : e == 6 ? "SIGABRT" : e == 7 ? "SIGBUS" : e == 8 ? "SIGFPE" :
	e == 9 ? "SIGKILL" : e == 10 ? "SIGUSR1" : e == 11 ? "SIGSEGV" : e == 12 ? "SIGUSR2" :
	e == 13 ? "SIGPIPE" : e == 14 ? "SIGALRM" : e == 15 ? "SIGTERM" : e == 16 ? "SIGSTKFLT" :
	e == 17 ? "SIGCHLD" : e == 18 ? "SIGCONT" : e == 19 ? "SIGSTOP" : e == 20 ? "SIGTSTP" :
	e == 21 ? "SIGTTIN" : e == 22 ? "SIGTTOU" : e == 23 ? "SIGURG" : e == 24 ? "SIGXCPU" :
	e == 25 ? "SIGXFSZ" : e == 26 ? "SIGVTALRM" : e == 27 ? "SIGPROF" : e == 28 ? "SIGWINCH" :
	e == 29 ? "SIGIO" : e == 30 ? "SIGPWR" : e == 31 ? "SIGSYS" : lltostr(e);

/* Of a signal that has none: the number, and zeros. */
inline siginfo_t *siginfo_of[int number] =
	(this->siginfo_of = (siginfo_t *)alloca(sizeof(siginfo_t)),
	this->siginfo_of->si_signo = number, this->siginfo_of);
