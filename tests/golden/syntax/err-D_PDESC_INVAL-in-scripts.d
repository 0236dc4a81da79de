a:b:c:d:e { }
foo$nothing { }
foo$33:entry { }
0 { }
12, 13:: { }
99999999999 { }
