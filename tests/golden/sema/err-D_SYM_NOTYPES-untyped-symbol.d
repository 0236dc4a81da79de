BEGIN { trace(`max_pfn); x = `max_pfn; trace(`max_pfn + 1); trace((int)`max_pfn); }
