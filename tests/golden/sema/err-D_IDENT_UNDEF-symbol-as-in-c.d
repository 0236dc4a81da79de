BEGIN { trace(max_pfn); trace(nothing_of_this_name); }
