#!-K
enum mine { OURS };
BEGIN { trace(has(DEAD)); trace(has(HUGE_ONE)); trace(has(OURS)); trace(has(DAED)); trace(has(DEAD.x)); }
