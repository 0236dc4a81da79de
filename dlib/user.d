/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user - types of C programs that the kernel's type data lacks
 *
 * Clauses read them with copyin(): (struct timespec *)copyin(arg0, sizeof (struct timespec)).
 * Layouts are those of 64-bit programs.
 */
typedef unsigned char u_char;
typedef unsigned long u_long;
typedef long quad_t;
typedef unsigned long u_quad_t;
typedef int64_t off64_t;
typedef int64_t offset_t;
typedef uint64_t ino64_t;
typedef uint64_t rlim_t;
typedef uint32_t socklen_t;
typedef uint32_t in_addr_t;
typedef uint16_t in_port_t;
typedef unsigned int useconds_t;
typedef long suseconds_t;
typedef int64_t daddr_t;
typedef int64_t diskaddr_t;
typedef struct iovec iovec_t;
typedef struct pollfd pollfd_t;

struct timespec {
	time_t tv_sec;
	long tv_nsec;
};
typedef struct timespec timespec_t;

struct timeval {
	time_t tv_sec;
	suseconds_t tv_usec;
};

struct itimerspec {
	struct timespec it_interval;
	struct timespec it_value;
};

struct itimerval {
	struct timeval it_interval;
	struct timeval it_value;
};

struct utsname {
	char sysname[65];
	char nodename[65];
	char release[65];
	char version[65];
	char machine[65];
	char domainname[65];
};

struct dirent {
	ino64_t d_ino;
	off64_t d_off;
	ushort_t d_reclen;
	uchar_t d_type;
	char d_name[256];
};

struct dirent64 {
	ino64_t d_ino;
	off64_t d_off;
	ushort_t d_reclen;
	uchar_t d_type;
	char d_name[256];
};
