#!-m
foo, bar:baz { trace(1) }
