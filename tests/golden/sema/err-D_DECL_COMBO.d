int int x; signed unsigned y; short long z; char int w;
