#!-1.2
#pragma D binding "1.2" older
#pragma D binding "1.2.1" newer
int older, newer, toupper;
BEGIN { trace(older); trace(toupper); trace(newer); }
