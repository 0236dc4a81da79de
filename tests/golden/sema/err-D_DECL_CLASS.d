self this int x; typedef extern int y;
