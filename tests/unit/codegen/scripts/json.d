/* What: json() and addresses as text have their rooms. */
BEGIN { trace(json("[1]", "[0]")); trace(inet_ntop(2, (void *)64)); trace(link_ntop(1, (void *)64)); }
BEGIN { trace(inet_ntoa6((void *)64, 1)); trace(mutex_type_spin((void *)64)); }
