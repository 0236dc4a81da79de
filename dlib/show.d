/* SPDX-License-Identifier: BSD-2-Clause */
/* show - strings that values of C++, Rust and Go stand for: stringof(), %s, comparisons */

/* libstdc++, with the ABI of gcc 5 and with the one before; libc++'s views */
translator string < "std::__cxx11::basic_string<char,*>" s > = copyinstr(s._M_dataplus._M_p, s._M_string_length);
translator string < "std::basic_string<char,*>" s > = copyinstr(s._M_dataplus._M_p);
translator string < "std::basic_string_view<char,*>" v > = copyinstr(v._M_str, v._M_len);
translator string < "std::__*::basic_string_view<char,*>" v > = copyinstr(v.__data_, v.__size_);

/* Rust 1.80 and later, and before */
translator string < "alloc::string::String" s > = copyinstr(s.vec.buf.inner.ptr.pointer.pointer, s.vec.len);
translator string < "alloc::string::String" s > = copyinstr(s.vec.buf.ptr.pointer.pointer, s.vec.len);
translator string < "&str" s > = copyinstr(s.data_ptr, s.length);

/* Go */
translator string < "string" s > = copyinstr(s.str, s.len);

/* Containers: how many elements they have. */
inline string counted[int64_t n] = strjoin(lltostr(n), n == 1 ? " element" : " elements");
translator string < "std::vector<*>" v > = counted[v._M_impl._M_finish - v._M_impl._M_start];
translator string < "std::*map<*>" m > = counted[m._M_t._M_impl._M_node_count];
translator string < "std::*map<*>" m > = counted[m._M_h._M_element_count];
translator string < "std::*set<*>" m > = counted[m._M_t._M_impl._M_node_count];
translator string < "std::*set<*>" m > = counted[m._M_h._M_element_count];
translator string < "std::__cxx11::list<*>" l > = counted[l._M_impl._M_node._M_size];
translator string < "alloc::vec::Vec<*>" v > = counted[v.len];

/* The first eight elements of a vector, if they are numbers or strings. */
inline string element[int64_t n, int64_t i, string e] = n > i ? strjoin(i ? ", " : ": ", e) : "";
translator string < "std::vector<*>" v > = strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(counted[v._M_impl._M_finish - v._M_impl._M_start], element[v._M_impl._M_finish - v._M_impl._M_start, 0, stringof(v._M_impl._M_start[0])]), element[v._M_impl._M_finish - v._M_impl._M_start, 1, stringof(v._M_impl._M_start[1])]), element[v._M_impl._M_finish - v._M_impl._M_start, 2, stringof(v._M_impl._M_start[2])]), element[v._M_impl._M_finish - v._M_impl._M_start, 3, stringof(v._M_impl._M_start[3])]), element[v._M_impl._M_finish - v._M_impl._M_start, 4, stringof(v._M_impl._M_start[4])]), element[v._M_impl._M_finish - v._M_impl._M_start, 5, stringof(v._M_impl._M_start[5])]), element[v._M_impl._M_finish - v._M_impl._M_start, 6, stringof(v._M_impl._M_start[6])]), element[v._M_impl._M_finish - v._M_impl._M_start, 7, stringof(v._M_impl._M_start[7])]), v._M_impl._M_finish - v._M_impl._M_start > 8 ? ", ..." : "");
translator string < "std::vector<*>" v > = strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(counted[v._M_impl._M_finish - v._M_impl._M_start], element[v._M_impl._M_finish - v._M_impl._M_start, 0, lltostr(v._M_impl._M_start[0])]), element[v._M_impl._M_finish - v._M_impl._M_start, 1, lltostr(v._M_impl._M_start[1])]), element[v._M_impl._M_finish - v._M_impl._M_start, 2, lltostr(v._M_impl._M_start[2])]), element[v._M_impl._M_finish - v._M_impl._M_start, 3, lltostr(v._M_impl._M_start[3])]), element[v._M_impl._M_finish - v._M_impl._M_start, 4, lltostr(v._M_impl._M_start[4])]), element[v._M_impl._M_finish - v._M_impl._M_start, 5, lltostr(v._M_impl._M_start[5])]), element[v._M_impl._M_finish - v._M_impl._M_start, 6, lltostr(v._M_impl._M_start[6])]), element[v._M_impl._M_finish - v._M_impl._M_start, 7, lltostr(v._M_impl._M_start[7])]), v._M_impl._M_finish - v._M_impl._M_start > 8 ? ", ..." : "");

/* What may be there: numbers and strings; of other objects that are pointed to, the address. */
translator string < "std::optional<*>" o > = o._M_payload._M_engaged ? stringof(o._M_payload._M_payload._M_value) : "nullopt";
translator string < "std::optional<*>" o > = o._M_payload._M_engaged ? lltostr(o._M_payload._M_payload._M_value) : "nullopt";
translator string < "std::shared_ptr<*>" p > = p._M_ptr ? lltostr((uintptr_t)p._M_ptr, 16) : "nullptr";
translator string < "std::shared_ptr<*>" p > = p._M_ptr ? stringof(*p._M_ptr) : "nullptr";
translator string < "std::shared_ptr<*>" p > = p._M_ptr ? lltostr(*p._M_ptr) : "nullptr";
translator string < "std::unique_ptr<*std::default_delete<*> >" p > = *(userland uintptr_t *)&p ? lltostr(*(userland uintptr_t *)&p, 16) : "nullptr";
