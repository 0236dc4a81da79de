/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sslsniff - what programs send and receive through TLS, in the clear
 *
 * Usage: [-p PID | -c COMMAND] [-f FILE] [-g FILE] [-b BYTES]
 *
 * A line for each piece that a process writes to or reads from a connection of OpenSSL (and its
 * relatives) or GnuTLS: before it is encrypted, or after. All processes are shown, in containers, too, and
 * those that start later. A program that contains the library is named by -f. Only the beginning of a piece
 * is shown, up to its first zero byte; what is not printable is escaped.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   WAY      send or get
 *   BYTES    length of the piece
 *   DATA     its beginning
 *
 * See: bashreadline, tcplife, dtrace-provider-pid
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs
#pragma D argument file "-f FILE" "OpenSSL: the name of its library, a pattern, or a path" default "libssl*"
#pragma D argument gnutls "-g FILE" "GnuTLS: likewise" default "libgnutls*"
#pragma D argument bytes "-b BYTES" "how much of each piece is shown" default 64 from 1 to 4096

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %-4s %7s %s\n", "TIME(s)", "PID", "COMM", "WAY", "BYTES", "DATA");
}

pid*:$$file:SSL_write:entry, pid*:$$file:SSL_read:entry, pid*:$$file:SSL_write_ex:entry, pid*:$$file:SSL_read_ex:entry,
pid*:$$gnutls:gnutls_record_send:entry, pid*:$$gnutls:gnutls_record_recv:entry
/is_ours/
{
	self->data = arg1;
	self->count = arg3;
}

/* The number of bytes is the result, or where the fourth argument says. */
pid*:$$file:SSL_write:return, pid*:$$file:SSL_read:return, pid*:$$gnutls:gnutls_record_send:return,
pid*:$$gnutls:gnutls_record_recv:return
/self->data/
{
	self->size = (int)arg1;
}

pid*:$$file:SSL_write_ex:return, pid*:$$file:SSL_read_ex:return
/self->data/
{
	self->size = (int)arg1 > 0 && self->count ? *(size_t *)copyin(self->count, sizeof(size_t)) : 0;
}

pid*:$$file:SSL_write:return, pid*:$$file:SSL_read:return, pid*:$$file:SSL_write_ex:return, pid*:$$file:SSL_read_ex:return,
pid*:$$gnutls:gnutls_record_send:return, pid*:$$gnutls:gnutls_record_recv:return
/self->data && self->size > 0/
{
	this->is_read = strstr(probefunc, "read") != NULL || strstr(probefunc, "recv") != NULL;
	this->shown = self->size < $bytes ? self->size : $bytes;
	printf("%5d.%03d %7d %-16s %-4s %7d %S\n", ms / 1000, ms % 1000, pid, execname, this->is_read ? "get" : "send",
	    self->size, copyinstr(self->data, this->shown));
	@pieces = count();
	@sent = sum(this->is_read ? 0 : self->size);
	@got = sum(this->is_read ? self->size : 0);
}

pid*:$$file:SSL_write:return, pid*:$$file:SSL_read:return, pid*:$$file:SSL_write_ex:return, pid*:$$file:SSL_read_ex:return,
pid*:$$gnutls:gnutls_record_send:return, pid*:$$gnutls:gnutls_record_recv:return
{
	self->data = 0;
	self->count = 0;
	self->size = 0;
}

END
{
	printa("\n%@8d pieces:", @pieces);
	printa(" %@d bytes sent,", @sent);
	printa(" %@d received\n", @got);
}
