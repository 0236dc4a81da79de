struct sk_buff { unsigned int len, data_len; unsigned char *data; }; BEGIN { pcap((struct sk_buff *)arg0, arg1); pcap((struct sk_buff *)arg0, -1); pcap((struct sk_buff *)arg0, "x"); }
