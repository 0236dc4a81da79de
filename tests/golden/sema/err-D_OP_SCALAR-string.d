BEGIN { trace(!"x"); trace("a" && 1); trace("a" ? 1 : 2); if ("x") trace(1); }
