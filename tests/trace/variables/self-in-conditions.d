/*
 * What: self variables have their values wherever the first use of one is: behind &&, ||, ?: and if, in
 * keys, in indexes.  Trigger: syscalls 12.
 */
struct pair { int x; long y[3]; };
self struct pair s;
int n;
self int a, b, never;
self string t;
self int arr[int];

syscall::getppid:entry
/pid == $target && (n & 1 || self->a > 3) && !(self->b == 7 && self->a == 2)/
{
	this->x = n == 1 ? self->a : (n == 3 ? ++self->b : 5);
	self->a = n % 4 == 3 ? self->b + 1 : self->a + 2;
	if (n % 3 == 0 && self->a) {
		self->t = "three";
		self->arr[n] = self->a;
	} else if (self->b) {
		self->t = strjoin(self->t, "x");
		self->s.x += self->a;
	} else {
		self->t = "none";
	}
	self->s.y[n % 3] = self->arr[3] + self->b;
	printf("%d: %d, a %d, b %d, %s, s %d %d, arr %d\n", n, this->x, self->a, self->b, self->t,
	    self->s.x, self->s.y[n % 3], self->arr[3]);
	@[self->a, self->t] = sum(self->b || self->s.x);
}

/* A thread without any. */
syscall::getppid:entry
/pid == $target && n == 2/
{
	this->none = n > 5 ? self->never : 0;
	printf("%d %d\n", this->none, n & 1 || self->never ? self->never : -1);
	self->never = n == 77;
}

syscall::getppid:entry
/pid == $target/
{
	n++;
}

END
{
	printa("%d %s %@d\n", @);
}
