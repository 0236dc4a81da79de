/* SPDX-License-Identifier: BSD-2-Clause */
/* signal - numbers of signals, as on x86-64 and aarch64 */
enum signal_number {
	SIGHUP = 1, SIGINT = 2, SIGQUIT = 3, SIGILL = 4, SIGTRAP = 5, SIGABRT = 6, SIGIOT = 6, SIGBUS = 7,
	SIGFPE = 8, SIGKILL = 9, SIGUSR1 = 10, SIGSEGV = 11, SIGUSR2 = 12, SIGPIPE = 13, SIGALRM = 14,
	SIGTERM = 15, SIGSTKFLT = 16, SIGCHLD = 17, SIGCLD = 17, SIGCONT = 18, SIGSTOP = 19, SIGTSTP = 20,
	SIGTTIN = 21, SIGTTOU = 22, SIGURG = 23, SIGXCPU = 24, SIGXFSZ = 25, SIGVTALRM = 26, SIGPROF = 27,
	SIGWINCH = 28, SIGIO = 29, SIGPOLL = 29, SIGPWR = 30, SIGSYS = 31
};
inline enum signal_number signame[int s] = (enum signal_number)s;

/* The same as a string; to be printed, signame[] is cheaper. */
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
