/*
 * constructs of a database server's definition file: names given by the preprocessor
 */

typedef struct relation { unsigned int space; const char *name; } relation_t;
typedef struct unused { int x; } unused_t;

provider postgresql {

	probe transaction__start(LocalTransactionId);
	probe transaction__commit(LocalTransactionId);
	probe lwlock__acquire(const char *, LWLockMode);
	probe query__start(const char *);
	probe buffer__read__done(unsigned int, unsigned int, Oid, Oid, Oid, int, bool, bool);
	probe checkpoint__done(int, int, int, int, int);
	probe smgr__md(relation_t *rel, int64_t bytes) : (int64_t bytes, relation_t *rel);
	probe deadlock__found();
};
#pragma D attributes Evolving/Evolving/Common provider postgresql provider
#pragma D attributes Stable/Evolving/ISA provider postgresql args
