#pragma D option defaultx=1
BEGIN
{
	trace($1); trace($$1); trace($2); trace($3); trace($$3); trace($4); trace($5);
	(($6)1); ($6)$1; $pid; $$pid; $0;
}
proc$1::$2:$target-entry, foo${target}bar:::, a\$b:c\:\:d { }
BEGIN { $8; x$8 = 1; }
BEGIN { $9; $$9; $10; $$10; $11; $$11; $$1; $$0; $$target; x.$2; self->$2; -$4; }
a$1b:$$2c:${3}d:$$pid, $1$3::: { }
