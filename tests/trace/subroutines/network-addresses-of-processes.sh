# What: inet_ntoa(), inet_ntoa6(), inet_ntop() and link_ntop() of an address in the process copy in what they print.
# Needs: btf.
. "$LIB"
cat >addresses.d <<'END'
struct in6_addr { unsigned char bytes[16]; };
struct peer { uint32_t v4; unsigned char mac[6]; unsigned char none[2]; struct in6_addr v6; };
this userland struct peer *p;
syscall::write:entry
/pid == $target && arg2 == 28/
{
	this->p = (userland struct peer *)arg1;
	printf("%s %s ", inet_ntoa(&this->p->v4), inet_ntop(2, &this->p->v4));
	printf("%s %s ", inet_ntoa6(&this->p->v6), inet_ntop(10, &this->p->v6));
	printf("%s\n", link_ntop(1, this->p->mac));
}
END
must_trace -s addresses.d -c "printf '\\177\\000\\000\\001\\002\\003\\004\\005\\006\\007..\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\001'"
contains '127\.0\.0\.1 127\.0\.0\.1 ::1 ::1 02:03:04:05:06:07'
