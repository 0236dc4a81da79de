int a[4];
BEGIN /a/ { }
BEGIN /&a[0]/ { }
