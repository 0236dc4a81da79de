/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * io - requests to disks, and files
 *
 * The translators read requests, bios, and the files and devices that these are about.
 */

inline int B_BUSY = 0x0001;
inline int B_DONE = 0x0002;
inline int B_ERROR = 0x0004;
inline int B_PAGEIO = 0x0010;
inline int B_PHYS = 0x0020;
inline int B_READ = 0x0040;
inline int B_WRITE = 0x0100;
inline int B_ASYNC = 0x0400;

/* --- the request ---------------------------------------------------------------------------- */

typedef struct bufinfo {
	int b_flags;
	size_t b_bcount;
	caddr_t b_addr;
	uint64_t b_lblkno;
	uint64_t b_blkno;
	size_t b_resid;
	size_t b_bufsize;
	caddr_t b_iodone;
	int b_error;
	dev_t b_edev;
} bufinfo_t;

/* The kernel's blk_status_t as an error of system calls. */
inline int blk_error[int status] =
	status == 0 ? 0 : status == 1 ? EOPNOTSUPP : status == 2 ? ETIMEDOUT :
	status == 3 ? ENOSPC : status == 4 ? ENOLINK : status == 5 ? EREMOTEIO :
	status == 6 ? EBADE : status == 7 ? ENODATA : status == 8 ? EILSEQ :
	status == 9 ? ENOMEM : status == 11 ? EREMCHG : status == 12 ? EAGAIN :
	status == 13 ? EBUSY : EIO;

/* The partition, or the whole disk; NULL: a command for the controller. */
inline struct gendisk *request_disk[struct request *R] =
	has(struct request_queue.disk) ? R->q->disk :
	has(struct request.rq_disk) ? R->rq_disk : (struct gendisk *)NULL;
inline struct block_device *request_device[struct request *R] =
	R->part != NULL ? R->part :
	request_disk[R] != NULL ? request_disk[R]->part0 : (struct block_device *)NULL;

/* Is this the first time that it is given to the driver?  From then on it has a time limit. */
inline int request_is_new[struct request *R] = R->deadline == 0;

inline struct gendisk *bio_disk[struct bio *B] = B->bi_bdev->bd_disk;
/* "nvme" */
inline int disk_is_nvme[struct gendisk *D] = *(uint32_t *)D->disk_name == 0x656d766e;

/* Operations, REQ_OP_... of the kernel. */
inline int IO_FLUSH = 2;
inline int IO_DISCARD = 3;
inline int IO_SECURE_ERASE = 5;

/* The place on the disk of a bio that was not submitted yet: it counts from the partition still, if it
 * has bytes. */
inline uint64_t bio_asked_place[struct bio *B] =
	B->bi_iter.bi_sector + (B->bi_iter.bi_size != 0 ? B->bi_bdev->bd_start_sect : 0);

/* What the device is told that it need not keep any more: nothing is read or written. */
inline int B_DISCARD = 0x8000000;

/* Operations that write are odd; one that empties the device's cache is of a write, too. */
inline int io_operation[uint32_t flags] = flags & 0xff;
inline int io_direction[uint32_t flags] =
	io_operation[flags] == IO_DISCARD || io_operation[flags] == IO_SECURE_ERASE ? B_DISCARD :
	io_operation[flags] & 1 || io_operation[flags] == IO_FLUSH ? B_WRITE : B_READ;

/* How many of the bytes that it is about are read or written. */
inline size_t io_moved[uint32_t flags, size_t bytes] = io_direction[flags] == B_DISCARD ? 0 : bytes;

/* The first part of a bio that was split ends in the rest of it. */
inline struct bio *bio_whole[struct bio *B] =
	has(bio_chain_endio) && B->bi_end_io == &`bio_chain_endio ? (struct bio *)B->bi_private : B;

/*
 * Direct I/O, from or to memory of a process: its pages are pinned.  That is bit 0 of bi_flags since
 * 6.5; older kernels have no mark, and that bit has another meaning.  Copies of a bio, as md and dm
 * make, do not have the mark.
 */
inline int bio_is_direct[struct bio *B] = has(BIO_PAGE_PINNED) && bio_whole[B]->bi_flags & 1;

/* Bit 11 is REQ_SYNC. */
#pragma D binding "1.6.3" translator
translator bufinfo_t < struct bio *B > {
	b_flags = io_direction[B->bi_opf] | (B->bi_opf & (1 << 11) ? 0 : B_ASYNC) |
		  (bio_is_direct[B] ? B_PHYS : B_PAGEIO);
	b_bcount = io_moved[B->bi_opf, B->bi_iter.bi_size];
	b_bufsize = B->bi_iter.bi_size;
	b_addr = 0;
	b_lblkno = B->bi_iter.bi_sector;
	b_blkno = B->bi_iter.bi_sector;
	b_resid = 0;
	b_iodone = (caddr_t)B->bi_end_io;
	b_error = blk_error[B->bi_status];
	b_edev = B->bi_bdev != NULL ? B->bi_bdev->bd_dev : 0;
};

/* A flush has none. */
inline uint64_t request_place[struct request *R] = R->__sector == (sector_t)-1 ? 0 : R->__sector;

/* A request to a driver; the operations are those of a bio. */
translator bufinfo_t < struct request *R > {
	b_flags = B_BUSY | io_direction[R->cmd_flags] |
		  (R->cmd_flags & (1 << 11) ? 0 : B_ASYNC) |
		  (R->bio != NULL && bio_is_direct[R->bio] ? B_PHYS : B_PAGEIO);
	b_bcount = io_moved[R->cmd_flags, R->__data_len];
	b_bufsize = R->__data_len;
	b_addr = 0;
	b_lblkno = request_place[R];
	b_blkno = request_place[R];
	b_resid = 0;
	b_iodone = R->bio != NULL ? (caddr_t)R->bio->bi_end_io : (caddr_t)R->end_io;
	b_error = 0;
	b_edev = request_device[R] != NULL ? request_device[R]->bd_dev : 0;
};

/* Has it all of FLAGS, and is it not given to the driver again? */
inline int new_request_has[struct request *R, int flags] =
	request_is_new[R] && (xlate <bufinfo_t>(R).b_flags & flags) == flags;

translator bufinfo_t < struct buffer_head *B > {
	b_flags = arg1 & 1 ? B_WRITE : B_READ;
	b_bcount = B->b_size;
	b_bufsize = B->b_size;
	b_addr = (caddr_t)B->b_data;
	b_lblkno = B->b_blocknr;
	b_blkno = B->b_blocknr;
	b_resid = 0;
	b_iodone = (caddr_t)B->b_end_io;
	b_error = 0;
	b_edev = B->b_bdev != NULL ? B->b_bdev->bd_dev : 0;
};

/* A block of XFS's own data. */
inline unsigned int XBF_WRITE = 2;

translator bufinfo_t < struct xfs_buf *B > {
	b_flags = B_PAGEIO | (B->b_flags & XBF_WRITE ? B_WRITE : B_READ);
	b_bcount = B->b_length * 512;
	b_bufsize = B->b_length * 512;
	b_addr = (caddr_t)B->b_addr;
	b_lblkno = B->b_maps->bm_bn + B->b_target->bt_bdev->bd_start_sect;
	b_blkno = B->b_maps->bm_bn + B->b_target->bt_bdev->bd_start_sect;
	b_resid = 0;
	b_iodone = NULL;
	b_error = 0;
	b_edev = B->b_target->bt_bdev->bd_dev;
};

/* --- the device ----------------------------------------------------------------------------- */

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;
	string dev_name;
	string dev_statname;
	string dev_pathname;
} devinfo_t;

inline int disk_partition[struct block_device *D] =
	has(struct block_device.__bd_flags) ? D->__bd_flags.counter & 0xff : D->bd_partno;

/* sda and 1 make sda1, nvme0n1 and 1 make nvme0n1p1. */
inline char disk_last_letter[struct gendisk *G] = G->disk_name[strlen(G->disk_name) - 1];
inline string disk_partition_name[struct block_device *D] =
	disk_partition[D] == 0 ? stringof(D->bd_disk->disk_name) :
	strjoin(D->bd_disk->disk_name,
	strjoin(disk_last_letter[D->bd_disk] >= '0' && disk_last_letter[D->bd_disk] <= '9' ? "p" : "",
	lltostr(disk_partition[D])));

/* How many letters a disk's name begins with. */
inline int disk_has_letter[struct gendisk *G, int i] = G->disk_name[i] >= 'a' && G->disk_name[i] <= 'z';
inline int disk_letters[struct gendisk *G] =
	!disk_has_letter[G, 0] ? 0 : !disk_has_letter[G, 1] ? 1 : !disk_has_letter[G, 2] ? 2 :
	!disk_has_letter[G, 3] ? 3 : !disk_has_letter[G, 4] ? 4 : !disk_has_letter[G, 5] ? 5 :
	!disk_has_letter[G, 6] ? 6 : !disk_has_letter[G, 7] ? 7 : !disk_has_letter[G, 8] ? 8 : 9;

/*
 * The driver of the device that the disk is on: sd, virtio_blk.  A disk that is on no device has the
 * letters that its name begins with: loop of loop0, dm of dm-0, nvme of nvme0n1.  The kernel's names
 * of major numbers, which /proc/devices shows, are in a variable that only kernels with
 * CONFIG_KALLSYMS_ALL have an address of, and are blkext for all disks of NVMe; a driver that is
 * no module has no name in its operations.
 */
inline string disk_driver[struct gendisk *G] =
	G->part0->bd_device.parent != NULL && G->part0->bd_device.parent->driver != NULL ?
	stringof(G->part0->bd_device.parent->driver->name) :
	substr(stringof(G->disk_name), 0, disk_letters[G]);

translator devinfo_t < struct block_device *D > {
	dev_major = D == NULL ? 0 : D->bd_dev >> 20;
	dev_minor = D == NULL ? 0 : D->bd_dev & 0xfffff;
	dev_instance = D == NULL ? 0 : D->bd_dev & 0xfffff;
	dev_name = D == NULL ? "<unknown>" : disk_driver[D->bd_disk];
	dev_statname = D == NULL ? "<unknown>" : disk_partition_name[D];
	dev_pathname = D == NULL ? "<unknown>" : strjoin("/dev/", disk_partition_name[D]);
};

translator devinfo_t < struct request *R > {
	dev_major = xlate <devinfo_t>(request_device[R]).dev_major;
	dev_minor = xlate <devinfo_t>(request_device[R]).dev_minor;
	dev_instance = xlate <devinfo_t>(request_device[R]).dev_instance;
	dev_name = xlate <devinfo_t>(request_device[R]).dev_name;
	dev_statname = xlate <devinfo_t>(request_device[R]).dev_statname;
	dev_pathname = xlate <devinfo_t>(request_device[R]).dev_pathname;
};

#pragma D binding "1.6.3" translator
translator devinfo_t < struct bio *B > {
	dev_major = xlate <devinfo_t>(B->bi_bdev).dev_major;
	dev_minor = xlate <devinfo_t>(B->bi_bdev).dev_minor;
	dev_instance = xlate <devinfo_t>(B->bi_bdev).dev_instance;
	dev_name = xlate <devinfo_t>(B->bi_bdev).dev_name;
	dev_statname = xlate <devinfo_t>(B->bi_bdev).dev_statname;
	dev_pathname = xlate <devinfo_t>(B->bi_bdev).dev_pathname;
};

translator devinfo_t < struct buffer_head *B > {
	dev_major = xlate <devinfo_t>(B->b_bdev).dev_major;
	dev_minor = xlate <devinfo_t>(B->b_bdev).dev_minor;
	dev_instance = xlate <devinfo_t>(B->b_bdev).dev_instance;
	dev_name = xlate <devinfo_t>(B->b_bdev).dev_name;
	dev_statname = xlate <devinfo_t>(B->b_bdev).dev_statname;
	dev_pathname = xlate <devinfo_t>(B->b_bdev).dev_pathname;
};

/* --- the file ------------------------------------------------------------------------------- */

typedef struct fileinfo {
	string fi_name;
	string fi_dirname;
	string fi_pathname;
	loff_t fi_offset;
	string fi_fs;
	string fi_mount;
	int fi_oflags;
} fileinfo_t;

/*
 * A mount's own root has the name of the place where it is mounted.  0x4000 is MNT_INTERNAL: the
 * kernel's own mounts, of pipes and sockets, are nowhere.
 */
inline string mount_point[struct vfsmount *M] =
	M->mnt_flags & 0x4000 ? "<unknown>" :
	(this->mount_point = (struct path *)alloca(sizeof(struct path)),
	this->mount_point->mnt = M, this->mount_point->dentry = M->mnt_root,
	d_path(this->mount_point));

/* The root of a mount, a pipe or a socket is its own parent; only its path has a name, to which the kernel
 * adds a word where the file has no entry any more: that is a part of no name. */
inline int name_is_marked[string name] =
	strlen(name) > 10 && rindex(name, " (deleted)") == strlen(name) - 10;
inline string name_unmarked[string name] = name_is_marked[name] ? substr(name, 0, strlen(name) - 10) : name;
inline string file_name[struct path *P] = P->dentry->d_parent == P->dentry ?
	name_unmarked[basename(d_path(P))] : stringof(P->dentry->d_name.name);

translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : file_name[&F->f_path];
	fi_dirname = F == NULL ? "<none>" : dirname(d_path(&F->f_path));
	fi_pathname = F == NULL ? "<none>" : d_path(&F->f_path);
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" : stringof(F->f_inode->i_sb->s_type->name);
	fi_mount = F == NULL ? "<none>" : mount_point[F->f_path.mnt];
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

translator fileinfo_t < struct buffer_head *B > {
	fi_name = "<unknown>";
	fi_dirname = "<unknown>";
	fi_pathname = "<unknown>";
	fi_offset = 0;
	fi_fs = "<unknown>";
	fi_mount = "<unknown>";
	fi_oflags = 0;
};

/*
 * Direct I/O has a request of the process, which knows its file; by which function a bio ends says what
 * kind of object refers to that.  A process that waits for a device itself has none: there is the thread
 * in its place (2, DIO_IS_SYNC), or the bio is on its stack.
 */
inline int bio_is_iomap[struct bio *B] = /* most file systems */
	has(struct iomap_dio.iocb) && has(iomap_dio_bio_end_io) &&
	B->bi_end_io == &`iomap_dio_bio_end_io;
inline int bio_is_dio[struct bio *B] = /* the others */
	has(struct dio.iocb) && has(dio_bio_end_io) && has(dio_bio_end_aio) &&
	(B->bi_end_io == &`dio_bio_end_io || B->bi_end_io == &`dio_bio_end_aio);
inline int bio_is_of_device[struct bio *B] = /* files in /dev */
	has(struct blkdev_dio.iocb) && has(blkdev_bio_end_io) && has(DIO_IS_SYNC) &&
	B->bi_end_io == &`blkdev_bio_end_io && !(((struct blkdev_dio *)B->bi_private)->flags & 2);
inline int bio_is_alone[struct bio *B] = /* the only one of a request to a device */
	has(struct blkdev_dio.iocb) && has(blkdev_bio_end_io_async) &&
	B->bi_end_io == &`blkdev_bio_end_io_async;
inline struct kiocb *bio_asked_by[struct bio *B] =
	bio_is_iomap[B] ? ((struct iomap_dio *)B->bi_private)->iocb :
	bio_is_dio[B] ? ((struct dio *)B->bi_private)->iocb :
	bio_is_of_device[B] ? ((struct blkdev_dio *)B->bi_private)->iocb :
	bio_is_alone[B] ?
	((struct blkdev_dio *)((uintptr_t)B - offsetof(struct blkdev_dio, bio)))->iocb :
	(struct kiocb *)NULL;
inline struct kiocb *bio_kiocb[struct bio *B] =
	B == NULL ? (struct kiocb *)NULL : bio_asked_by[bio_whole[B]];
inline struct file *kiocb_file[struct kiocb *K] = K == NULL ? (struct file *)NULL : K->ki_filp;

/*
 * The file whose pages a bio reads or writes.  The first page, of a large one its head, knows its
 * mapping; private pages of processes and of the kernel do not, and may have anything there: an
 * inode is one if its mapping is this one.  Other memory has numbers there, or marks in a pointer.
 *
 * Direct I/O may be from or to pages of a file that the process has mapped, which is not the file
 * that is read or written.  Where direct I/O has no mark, memory that processes share is known by
 * its file systems, tmpfs and hugetlbfs, which have no I/O of their own.
 */
inline int inode_is_memory[struct inode *I] =
	I->i_sb->s_magic == 0x01021994 || I->i_sb->s_magic == 0x958458f6;
inline struct page *page_head[struct page *P] =
	P->compound_head & 1 ? (struct page *)(P->compound_head - 1) : P;
inline struct page *bio_page[struct bio *B] =
	B->bi_io_vec == NULL || B->bi_io_vec->bv_page == NULL ? (struct page *)NULL :
	page_head[B->bi_io_vec->bv_page];
inline int is_kernel_pointer[void *A] = (long)A < 0 && ((long)A & 3) == 0;
inline struct inode *mapping_inode[struct address_space *M] =
	is_kernel_pointer[M] && is_kernel_pointer[M->host] && M->host->i_mapping == M &&
	!inode_is_memory[M->host] ? M->host : (struct inode *)NULL;
inline struct inode *bio_inode[struct bio *B] =
	B == NULL || bio_is_direct[B] || bio_page[B] == NULL ? (struct inode *)NULL :
	mapping_inode[bio_page[B]->mapping];

/* Where in that file the bio begins: after some pages if it is the rest of a larger one. */
inline struct bio_vec *bio_part[struct bio *B] =
	B->bi_io_vec + (B->bi_iter.bi_size != 0 ? B->bi_iter.bi_idx : 0);
inline uint64_t page_place[struct page *P] =
	(has(struct folio.index) ? ((struct folio *)page_head[P])->index : page_head[P]->index) +
	(P - page_head[P]);
inline loff_t bio_place[struct bio *B] =
	page_place[bio_part[B]->bv_page] * page_kilobytes * 1024 + bio_part[B]->bv_offset +
	(B->bi_iter.bi_size != 0 ? B->bi_iter.bi_bvec_done : 0);

/* A name of the inode, one of several if it has links; the kernel may have forgotten it.  The inode of a
 * device, by which a file system reads and writes its own data, has an empty one. */
inline struct dentry *inode_alias[struct inode *I] =
	(struct dentry *)((uintptr_t)I->i_dentry.first - offsetof(struct dentry, d_u));
inline struct dentry *inode_dentry[struct inode *I] =
	I != NULL && I->i_dentry.first != NULL && inode_alias[I]->d_name.len != 0 ?
	inode_alias[I] : (struct dentry *)NULL;
inline int inode_is_device[struct inode *I] = (I->i_mode & 0170000) == 0060000;

/*
 * A mount of a file system, the whole of it: the oldest of three; NULL: there is none.  0x4000 is
 * MNT_INTERNAL, as above.
 */
inline struct mount *sb_mount_first[struct super_block *S] =
	has(struct mount.mnt_next_for_sb) ? S->s_mounts :
	(struct mount *)((uintptr_t)S->s_mounts.next - offsetof(struct mount, mnt_instance));
inline struct mount *sb_mount_after[struct mount *M] =
	M == NULL ? (struct mount *)NULL : has(struct mount.mnt_next_for_sb) ? M->mnt_next_for_sb :
	(struct mount *)((uintptr_t)M->mnt_instance.next - offsetof(struct mount, mnt_instance));
inline int mount_is_whole[struct mount *M] =
	M != NULL && M->mnt.mnt_sb != NULL && M->mnt.mnt_root == M->mnt.mnt_sb->s_root && !(M->mnt.mnt_flags & 0x4000);
inline struct vfsmount *sb_mount[struct super_block *S] =
	(this->io_mount = sb_mount_first[S],
	this->io_mount = mount_is_whole[this->io_mount] ? this->io_mount : sb_mount_after[this->io_mount],
	this->io_mount = mount_is_whole[this->io_mount] ? this->io_mount : sb_mount_after[this->io_mount],
	mount_is_whole[this->io_mount] && this->io_mount->mnt.mnt_sb == S ?
	&this->io_mount->mnt : (struct vfsmount *)NULL);

/* The file of a bio as a path, which may have no mount; is there a file at all? */
inline struct path *bio_path[struct bio *B] =
	(this->io_path = (struct path *)alloca(sizeof(struct path)), this->io_file = kiocb_file[bio_kiocb[B]],
	this->io_inode = bio_inode[B],
	this->io_path->dentry = this->io_file != NULL ? this->io_file->f_path.dentry : inode_dentry[this->io_inode],
	this->io_path->mnt = this->io_file != NULL ? this->io_file->f_path.mnt :
	this->io_path->dentry != NULL ? sb_mount[this->io_inode->i_sb] : (struct vfsmount *)NULL,
	this->io_path);
inline struct super_block *bio_super[struct bio *B] =
	(this->io_kiocb = bio_kiocb[B], this->io_inode = bio_inode[B],
	this->io_kiocb != NULL ? this->io_kiocb->ki_filp->f_inode->i_sb :
	this->io_inode != NULL ? this->io_inode->i_sb : (struct super_block *)NULL);
inline int bio_has_file[struct bio *B] = B != NULL &&
	(bio_is_direct[B] || bio_inode[B] != NULL && !inode_is_device[bio_inode[B]]);
inline string bio_no_name[struct bio *B] = bio_has_file[B] ? "<unknown>" : "<none>";
inline int path_is_known[struct path *P] = P->dentry != NULL;

/* Where a request of direct I/O has several bios, the place of all of them is that of the first one. */
#pragma D binding "1.6.3" translator
translator fileinfo_t < struct bio *B > {
	fi_name = path_is_known[bio_path[B]] ? file_name[this->io_path] : bio_no_name[B];
	fi_dirname = path_is_known[bio_path[B]] ? dirname(d_path(this->io_path)) : bio_no_name[B];
	fi_pathname = path_is_known[bio_path[B]] ? d_path(this->io_path) : bio_no_name[B];
	fi_offset = bio_kiocb[B] != NULL ? bio_kiocb[B]->ki_pos : bio_inode[B] != NULL ? bio_place[B] : 0;
	fi_fs = bio_super[B] != NULL ? stringof(bio_super[B]->s_type->name) : bio_no_name[B];
	fi_mount = !path_is_known[bio_path[B]] ? bio_no_name[B] :
		this->io_path->mnt != NULL ? mount_point[this->io_path->mnt] : "<unknown>";
	fi_oflags = bio_kiocb[B] != NULL ? bio_kiocb[B]->ki_filp->f_flags : 0;
};

inline struct file *file_of_descriptor[int fd] =
	fd >= 0 && curthread->files != NULL && fd < curthread->files->fdt->max_fds ?
	curthread->files->fdt->fd[fd] : (struct file *)NULL;

inline fileinfo_t fds[int fd] = xlate <fileinfo_t>(file_of_descriptor[fd]);
