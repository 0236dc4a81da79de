/* SPDX-License-Identifier: BSD-2-Clause */
/* pcap - kinds of packets, for the second argument of pcap() */
inline int PCAP_NULL = 0;
inline int PCAP_ETHER = 1;
inline int PCAP_PPP = 9;
inline int PCAP_IP = 12;
inline int PCAP_WIFI = 105;
inline int PCAP_IPOIB = 242;
