static int x; auto int y; inline self int z = 1;
