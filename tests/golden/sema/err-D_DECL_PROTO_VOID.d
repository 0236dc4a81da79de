int a[int, void];
int m[void];
