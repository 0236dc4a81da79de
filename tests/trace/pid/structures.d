/* What: a structure read by hand, two pointers deep; inet_ntoa.  Needs: uprobe.  Executors: kernel process.  Trigger: structs. */
pid$target::serve:entry
{
	this->p = *(uintptr_t *)copyin(arg0 + 0x60, sizeof(uintptr_t));
	this->family = *(uint32_t *)copyin(this->p, sizeof(uint32_t));
	this->ip = (ipaddr_t *)copyin(this->p + 4, sizeof(ipaddr_t));
	this->name = *(uintptr_t *)copyin(this->p + 8, sizeof(uintptr_t));
	printf("%d %s %s\n", this->family, inet_ntoa(this->ip), copyinstr(this->name));
}
