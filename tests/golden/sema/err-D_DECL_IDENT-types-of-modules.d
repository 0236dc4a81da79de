#!-K
ext4`struct queue *q;
struct nothing`queue *r;
BEGIN { trace(sizeof(struct xfs`ext4_info)); }
BEGIN { trace(sizeof(D`struct queue)); }
