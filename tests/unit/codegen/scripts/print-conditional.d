/* What: as parts of a record that may have others. */
struct big { char bytes[300]; };
read:entry { if (arg0) print((struct big *)arg1); else print("small"); }
