struct rx_conn { char *remote; short port; int status; };
typedef struct rxinfo { string rx_status; int rx_port; } rxinfo_t;
inline string rx_status[int s] = s == 0 ? "idle" : s == 1 ? "open" : s == 2 ? "reading" : "?";
translator conninfo_t < struct rx_conn *C > { ci_remote = C->remote; ci_protocol = "rx"; };
translator rxinfo_t < struct rx_conn *C > { rx_status = rx_status[C->status]; rx_port = C->port; };
