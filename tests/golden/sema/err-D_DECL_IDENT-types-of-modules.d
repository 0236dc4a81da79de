#!-K
ext4`struct queue *q;
struct nothing`queue *r;
vmlinux`ext4`struct queue *t;
ext4`D`ext4_id_t u;
BEGIN { trace(sizeof(struct xfs`ext4_info)); }
BEGIN { trace(sizeof(D`struct queue)); }
