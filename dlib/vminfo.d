/* SPDX-License-Identifier: BSD-2-Clause */
/* vminfo - pages that a request to a disk or a piece of a file has */
inline int read_pages[struct request *R] =
	new_request_has[R, B_READ | B_PAGEIO] ?
	(R->__data_len + page_kilobytes * 1024 - 1) / (page_kilobytes * 1024) : 0;
inline int written_pages[struct request *R] =
	new_request_has[R, B_WRITE | B_PAGEIO] ?
	(R->__data_len + page_kilobytes * 1024 - 1) / (page_kilobytes * 1024) : 0;

/* The first page of a folio that has several is the head of the second one. */
inline int folio_pages[struct folio *F] =
	(has(struct folio.__page_1) ? F->__page_1.compound_head : F->__head) != (uintptr_t)F + 1 ? 1 :
	has(struct folio._nr_pages) ? F->_nr_pages :
	has(struct folio._folio_nr_pages) ? F->_folio_nr_pages : 1;

/* Has it pages that go to a swap area?  Its flags come first. */
inline int folio_swap_flag =
	(enum pageflags)16 == PG_swapbacked ? 16 : (enum pageflags)17 == PG_swapbacked ? 17 :
	(enum pageflags)18 == PG_swapbacked ? 18 : (enum pageflags)19 == PG_swapbacked ? 19 : 20;
inline int folio_can_be_swapped[struct folio *F] = (*(uint64_t *)F >> folio_swap_flag) & 1;
