struct sk_buff { int x; }; BEGIN { pcap(arg0, 1); pcap((struct sk_buff *)arg0, 1); pcap((char *)arg0, 1); }
