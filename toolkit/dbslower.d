/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dbslower - queries of databases that are slow
 *
 * Usage: [-p PID | -c COMMAND] [-m MS] [-f FILE]
 *
 * A line for each query that took long, when its call returns in the program that asks: by libpq
 * (PostgreSQL), libmysqlclient or libmariadb, and SQLite, of any process. Of SQLite it is a step of a
 * statement. Of PostgreSQL and MySQL the time includes the network. Prepared statements of these, and
 * queries that are sent without waiting, are not seen.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   LAT(ms)  how long it took
 *   QUERY    its text
 *
 * See: fileslower, funclatency, dtrace-provider-pid
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs
#pragma D argument slower "-m MS" "only queries that take at least so long" default 10 from 0 to 3600000
#pragma D argument file "-f FILE" "the library: its name, a pattern, or a path" default "lib[pms][qay]*"

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %10s %s\n", "TIME(s)", "PID", "COMM", "LAT(ms)", "QUERY");
}

/* mysql_query() calls mysql_real_query(). */
pid*:$$file:PQexec:entry, pid*:$$file:PQexecParams:entry, pid*:$$file:mysql_real_query:entry
/is_ours/
{
	self->query = arg1;
	self->from = timestamp;
}

pid*:$$file:PQexec:return, pid*:$$file:PQexecParams:return, pid*:$$file:mysql_real_query:return
/self->from && timestamp - self->from >= $slower * 1000000/
{
	this->us = (timestamp - self->from) / 1000;
	printf("%5d.%03d %7d %-16s %6d.%03d %s\n", ms / 1000, ms % 1000, pid, execname, this->us / 1000, this->us % 1000,
	    copyinstr(self->query));
	@slow = count();
}

pid*:$$file:PQexec:return, pid*:$$file:PQexecParams:return, pid*:$$file:mysql_real_query:return
{
	self->query = 0;
	self->from = 0;
}

/* sqlite3_prepare_v2(connection, text, length, where the statement is to be put, ...) */
string text[pid_t, uint64_t];

pid*:$$file:sqlite3_prepare:entry, pid*:$$file:sqlite3_prepare_v2:entry, pid*:$$file:sqlite3_prepare_v3:entry
/is_ours/
{
	self->sql = arg1;
	self->place = probefunc == "sqlite3_prepare_v3" ? arg4 : arg3;
}

pid*:$$file:sqlite3_prepare:return, pid*:$$file:sqlite3_prepare_v2:return, pid*:$$file:sqlite3_prepare_v3:return
/self->place/
{
	text[pid, *(uintptr_t *)copyin(self->place, sizeof(uintptr_t))] = copyinstr(self->sql);
	self->sql = 0;
	self->place = 0;
}

pid*:$$file:sqlite3_step:entry
/is_ours/
{
	self->statement = arg0;
	self->from = timestamp;
}

pid*:$$file:sqlite3_step:return
/self->from && timestamp - self->from >= $slower * 1000000/
{
	this->us = (timestamp - self->from) / 1000;
	printf("%5d.%03d %7d %-16s %6d.%03d %s\n", ms / 1000, ms % 1000, pid, execname, this->us / 1000, this->us % 1000,
	    text[pid, self->statement] == NULL ? "-" : text[pid, self->statement]);
	@slow = count();
}

pid*:$$file:sqlite3_step:return
{
	self->statement = 0;
	self->from = 0;
}

pid*:$$file:sqlite3_finalize:entry
/is_ours/
{
	text[pid, arg0] = 0;
}

END
{
	printa("\n%@8d slow queries\n", @slow);
}
