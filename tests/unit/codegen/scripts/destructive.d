/* What: signals, with their faults; no record. */
write:entry { stop(); raise((int)arg0); }
