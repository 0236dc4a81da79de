int a[int (int)];
