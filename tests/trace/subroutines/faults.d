/* What: the faults of subroutines with invalid arguments, and their addresses. */
BEGIN { printf("inet_ntop of no family %s", inet_ntop(3, alloca(16))); }
BEGIN { printf("link_ntop of no hardware %s", link_ntop(2, alloca(20))); }
BEGIN { printf("lltostr of base 37 %s", lltostr(1, 37)); }
BEGIN { printf("lltostr of base 1 %s", lltostr(1, 1)); }
BEGIN { printf("strtoll of base 1 %d", strtoll("1", 1)); }
BEGIN { printf("strtok of nothing %s", strtok(NULL, "/")); }
BEGIN { printf("strlen of nothing %d", strlen(NULL)); }
BEGIN { printf("basename of nothing %s", basename(NULL)); }
BEGIN { printf("a text that is not there %s", strchr("abc", 'x')); }
BEGIN { large = 5000; below = -1; }
BEGIN { alloca(large); printf("alloca without room"); }
BEGIN { alloca(below); printf("alloca of less than nothing"); }
BEGIN { copyin(1, large); printf("copyin without room"); }
BEGIN { bcopy((void *)16, alloca(8), 8); printf("bcopy from nowhere"); }
BEGIN { bcopy(alloca(8), (void *)24, 1); printf("bcopy to memory that is not ours"); }
BEGIN { copyinto(8, 8, (void *)32); printf("copyinto memory that is not ours"); }
BEGIN { copyinto(40, 8, alloca(8)); printf("copyinto from nowhere"); }
BEGIN { printf("copyinstr %s", copyinstr(48)); }
BEGIN { copyin(56, 8); printf("copyin"); }
BEGIN { tracemem(64, 16); printf("tracemem"); }
BEGIN { printf("d_path %s", d_path((struct path *)72)); }
ERROR { printf("fault %d at %x\n", arg4, arg5); }
BEGIN { exit(0); }
