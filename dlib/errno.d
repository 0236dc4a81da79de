/* SPDX-License-Identifier: BSD-2-Clause */
/* errno - numbers of errors, those of asm-generic/errno.h, as on x86-64 and aarch64 */
enum error_number {
	EPERM = 1, ENOENT = 2, ESRCH = 3, EINTR = 4, EIO = 5, ENXIO = 6, E2BIG = 7, ENOEXEC = 8,
	EBADF = 9, ECHILD = 10, EAGAIN = 11, EWOULDBLOCK = 11, ENOMEM = 12, EACCES = 13, EFAULT = 14,
	ENOTBLK = 15, EBUSY = 16, EEXIST = 17, EXDEV = 18, ENODEV = 19, ENOTDIR = 20, EISDIR = 21,
	EINVAL = 22, ENFILE = 23, EMFILE = 24, ENOTTY = 25, ETXTBSY = 26, EFBIG = 27, ENOSPC = 28,
	ESPIPE = 29, EROFS = 30, EMLINK = 31, EPIPE = 32, EDOM = 33, ERANGE = 34, EDEADLK = 35,
	EDEADLOCK = 35, ENAMETOOLONG = 36, ENOLCK = 37, ENOSYS = 38, ENOTEMPTY = 39, ELOOP = 40,
	ENOMSG = 42, EIDRM = 43, ECHRNG = 44, EL2NSYNC = 45, EL3HLT = 46, EL3RST = 47, ELNRNG = 48,
	EUNATCH = 49, ENOCSI = 50, EL2HLT = 51, EBADE = 52, EBADR = 53, EXFULL = 54, ENOANO = 55,
	EBADRQC = 56, EBADSLT = 57, EBFONT = 59, ENOSTR = 60, ENODATA = 61, ETIME = 62, ENOSR = 63,
	ENONET = 64, ENOPKG = 65, EREMOTE = 66, ENOLINK = 67, EADV = 68, ESRMNT = 69, ECOMM = 70,
	EPROTO = 71, EMULTIHOP = 72, EDOTDOT = 73, EBADMSG = 74, EOVERFLOW = 75, ENOTUNIQ = 76,
	EBADFD = 77, EREMCHG = 78, ELIBACC = 79, ELIBBAD = 80, ELIBSCN = 81, ELIBMAX = 82, ELIBEXEC = 83,
	EILSEQ = 84, ERESTART = 85, ESTRPIPE = 86, EUSERS = 87, ENOTSOCK = 88, EDESTADDRREQ = 89,
	EMSGSIZE = 90, EPROTOTYPE = 91, ENOPROTOOPT = 92, EPROTONOSUPPORT = 93, ESOCKTNOSUPPORT = 94,
	ENOTSUP = 95, EOPNOTSUPP = 95, EPFNOSUPPORT = 96, EAFNOSUPPORT = 97, EADDRINUSE = 98,
	EADDRNOTAVAIL = 99, ENETDOWN = 100, ENETUNREACH = 101, ENETRESET = 102, ECONNABORTED = 103,
	ECONNRESET = 104, ENOBUFS = 105, EISCONN = 106, ENOTCONN = 107, ESHUTDOWN = 108,
	ETOOMANYREFS = 109, ETIMEDOUT = 110, ECONNREFUSED = 111, EHOSTDOWN = 112, EHOSTUNREACH = 113,
	EALREADY = 114, EINPROGRESS = 115, ESTALE = 116, EUCLEAN = 117, ENOTNAM = 118, ENAVAIL = 119,
	EISNAM = 120, EREMOTEIO = 121, EDQUOT = 122, ENOMEDIUM = 123, EMEDIUMTYPE = 124, ECANCELED = 125,
	ENOKEY = 126, EKEYEXPIRED = 127, EKEYREVOKED = 128, EKEYREJECTED = 129, EOWNERDEAD = 130,
	ENOTRECOVERABLE = 131, ERFKILL = 132, EHWPOISON = 133
};
inline enum error_number errname[int e] = (enum error_number)e;

/* The same as a string; to be printed, errname[] is cheaper. */
inline string errno_name[int e] =
	e == 1 ? "EPERM" : e == 2 ? "ENOENT" : e == 3 ? "ESRCH" : e == 4 ? "EINTR" :
	e == 5 ? "EIO" : e == 6 ? "ENXIO" : e == 7 ? "E2BIG" : e == 8 ? "ENOEXEC" :
	e == 9 ? "EBADF" : e == 10 ? "ECHILD" : e == 11 ? "EAGAIN" : e == 12 ? "ENOMEM" :
	e == 13 ? "EACCES" : e == 14 ? "EFAULT" : e == 15 ? "ENOTBLK" : e == 16 ? "EBUSY" :
	e == 17 ? "EEXIST" : e == 18 ? "EXDEV" : e == 19 ? "ENODEV" : e == 20 ? "ENOTDIR" :
	e == 21 ? "EISDIR" : e == 22 ? "EINVAL" : e == 23 ? "ENFILE" : e == 24 ? "EMFILE" :
	e == 25 ? "ENOTTY" : e == 26 ? "ETXTBSY" : e == 27 ? "EFBIG" : e == 28 ? "ENOSPC" :
	e == 29 ? "ESPIPE" : e == 30 ? "EROFS" : e == 31 ? "EMLINK" : e == 32 ? "EPIPE" :
	e == 33 ? "EDOM" : e == 34 ? "ERANGE" : e == 35 ? "EDEADLK" : e == 36 ? "ENAMETOOLONG" :
	e == 37 ? "ENOLCK" : e == 38 ? "ENOSYS" : e == 39 ? "ENOTEMPTY" : e == 40 ? "ELOOP" :
	e == 42 ? "ENOMSG" : e == 43 ? "EIDRM" : e == 44 ? "ECHRNG" : e == 45 ? "EL2NSYNC" :
	e == 46 ? "EL3HLT" : e == 47 ? "EL3RST" : e == 48 ? "ELNRNG" : e == 49 ? "EUNATCH" :
	e == 50 ? "ENOCSI" : e == 51 ? "EL2HLT" : e == 52 ? "EBADE" : e == 53 ? "EBADR" :
	e == 54 ? "EXFULL" : e == 55 ? "ENOANO" : e == 56 ? "EBADRQC" : e == 57 ? "EBADSLT" :
	e == 59 ? "EBFONT" : e == 60 ? "ENOSTR" : e == 61 ? "ENODATA" : e == 62 ? "ETIME" :
	e == 63 ? "ENOSR" : e == 64 ? "ENONET" : e == 65 ? "ENOPKG" : e == 66 ? "EREMOTE" :
	e == 67 ? "ENOLINK" : e == 68 ? "EADV" : e == 69 ? "ESRMNT" : e == 70 ? "ECOMM" :
	e == 71 ? "EPROTO" : e == 72 ? "EMULTIHOP" : e == 73 ? "EDOTDOT" : e == 74 ? "EBADMSG" :
	e == 75 ? "EOVERFLOW" : e == 76 ? "ENOTUNIQ" : e == 77 ? "EBADFD" : e == 78 ? "EREMCHG" :
	e == 79 ? "ELIBACC" : e == 80 ? "ELIBBAD" : e == 81 ? "ELIBSCN" : e == 82 ? "ELIBMAX" :
	e == 83 ? "ELIBEXEC" : e == 84 ? "EILSEQ" : e == 85 ? "ERESTART" : e == 86 ? "ESTRPIPE" :
	e == 87 ? "EUSERS" : e == 88 ? "ENOTSOCK" : e == 89 ? "EDESTADDRREQ" :
	e == 90 ? "EMSGSIZE" : e == 91 ? "EPROTOTYPE" : e == 92 ? "ENOPROTOOPT" :
	e == 93 ? "EPROTONOSUPPORT" : e == 94 ? "ESOCKTNOSUPPORT" : e == 95 ? "ENOTSUP" :
	e == 96 ? "EPFNOSUPPORT" : e == 97 ? "EAFNOSUPPORT" : e == 98 ? "EADDRINUSE" :
	e == 99 ? "EADDRNOTAVAIL" : e == 100 ? "ENETDOWN" : e == 101 ? "ENETUNREACH" :
	e == 102 ? "ENETRESET" : e == 103 ? "ECONNABORTED" : e == 104 ? "ECONNRESET" :
	e == 105 ? "ENOBUFS" : e == 106 ? "EISCONN" : e == 107 ? "ENOTCONN" :
	e == 108 ? "ESHUTDOWN" : e == 109 ? "ETOOMANYREFS" : e == 110 ? "ETIMEDOUT" :
	e == 111 ? "ECONNREFUSED" : e == 112 ? "EHOSTDOWN" : e == 113 ? "EHOSTUNREACH" :
	e == 114 ? "EALREADY" : e == 115 ? "EINPROGRESS" : e == 116 ? "ESTALE" :
	e == 117 ? "EUCLEAN" : e == 118 ? "ENOTNAM" : e == 119 ? "ENAVAIL" : e == 120 ? "EISNAM" :
	e == 121 ? "EREMOTEIO" : e == 122 ? "EDQUOT" : e == 123 ? "ENOMEDIUM" :
	e == 124 ? "EMEDIUMTYPE" : e == 125 ? "ECANCELED" : e == 126 ? "ENOKEY" :
	e == 127 ? "EKEYEXPIRED" : e == 128 ? "EKEYREVOKED" : e == 129 ? "EKEYREJECTED" :
	e == 130 ? "EOWNERDEAD" : e == 131 ? "ENOTRECOVERABLE" : e == 132 ? "ERFKILL" :
	e == 133 ? "EHWPOISON" : lltostr(e);
