#!-K scopes: a module's types and symbols, types that two modules have, D and C
struct queue *q;
typedef int mine_t;
struct vmlinux`queue *r;
vmlinux`struct queue *v;
BEGIN { trace(q->info->limit); trace(q->info->owner->count); }
BEGIN { trace(sizeof(struct ext4_info)); trace(sizeof(ext4_id_t)); trace(sizeof(ext4`ext4_id_t)); }
BEGIN { trace(sizeof(struct twin)); trace(sizeof(struct xfs`twin)); trace(sizeof(ext4`struct twin)); }
BEGIN { trace(`ext4_limit.limit); trace(ext4`ext4_limit.owner->count); trace((uint64_t)`ext4_read); }
BEGIN { trace(sizeof(D`mine_t)); trace(sizeof(C`int64_t)); trace(sizeof(vmlinux`u64)); r = q; v = r; }
