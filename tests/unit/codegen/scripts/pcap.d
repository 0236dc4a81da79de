/* What: length and bytes of a packet; the bytes go to the record's tail. */
struct sk_buff { unsigned int len, data_len; unsigned char *data; };
tick-1 { pcap((struct sk_buff *)arg0, 1); }
