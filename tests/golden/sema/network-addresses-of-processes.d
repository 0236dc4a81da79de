/* Addresses in the process are copied in, as many bytes as the function prints; those of the kernel and of D are not. */
struct in6_addr { unsigned char bytes[16]; };
struct peer { uint32_t v4; struct in6_addr v6; unsigned char mac[6]; };
this userland struct peer *p; this struct peer *k;
BEGIN
{
	trace(inet_ntoa(&this->p->v4)); trace(inet_ntoa6(&this->p->v6)); trace(inet_ntoa6(&this->p->v6, 1));
	trace(inet_ntop(2, &this->p->v4)); trace(inet_ntop(10, &this->p->v6)); trace(link_ntop(1, this->p->mac)); trace(link_ntop(32, this->p));
	trace(inet_ntoa(&this->k->v4)); trace(inet_ntoa6(&this->k->v6)); trace(inet_ntoa(copyin(arg0, 4)));
}
