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
