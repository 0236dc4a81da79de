struct pt { int x; char name[5]; unsigned b:3; };
struct pt g;
struct sk_buff { unsigned int len, data_len; unsigned char *data; };
BEGIN
{
	print(1); print("s"); print(execname); print(g); print(g.name); print(g.b); print((struct pt *)arg0);
	print((int *)arg0); print((int *)alloca(4)); self->p = (int *)alloca(8); print(self->p + 1); print(&((struct pt *)arg0)->name);
	this->packet = (struct sk_buff *)arg1; pcap(this->packet, 1); tracemem(this->packet, 20, this->packet->len);
}
