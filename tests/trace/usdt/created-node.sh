# What: a Node program creates static probes through an addon that is written to libusdt's calls: every firing with its values; what makes the
# values runs only while somebody traces.  Needs: uprobe cc.  Executors: kernel (probes that the process creates).
. "$LIB"
command -v node >/dev/null || skip "node is not installed"
[ -r /usr/include/node/node_api.h ] || skip "libnode-dev is not installed"
export LD_LIBRARY_PATH="$usdt_library"
cat >addon.c <<'C'
#include <node_api.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "usdt.h"

static char *text_of(napi_env env, napi_value value)
{
	size_t length = 0;
	napi_get_value_string_utf8(env, value, NULL, 0, &length);
	char *text = malloc(length + 1);
	napi_get_value_string_utf8(env, value, text, length + 1, &length);
	return text;
}

static usdt_provider_t *provider;
static usdt_probedef_t *probes[8];

/* create(provider, module) */
static napi_value create(napi_env env, napi_callback_info info)
{
	size_t count = 2;
	napi_value args[2];
	napi_get_cb_info(env, info, &count, args, NULL, NULL);
	provider = usdt_create_provider(text_of(env, args[0]), text_of(env, args[1]));
	return NULL;
}

/* add(index, function, name, type...) */
static napi_value add(napi_env env, napi_callback_info info)
{
	size_t count = 8;
	napi_value args[8];
	uint32_t index;
	const char *types[5];
	napi_get_cb_info(env, info, &count, args, NULL, NULL);
	napi_get_value_uint32(env, args[0], &index);
	for (size_t i = 3; i < count; i++)
		types[i - 3] = text_of(env, args[i]);
	probes[index] = usdt_create_probe(text_of(env, args[1]), text_of(env, args[2]), count - 3, types);
	usdt_provider_add_probe(provider, probes[index]);
	return NULL;
}

static napi_value enable(napi_env env, napi_callback_info info)
{
	napi_value ret;
	napi_create_int32(env, usdt_provider_enable(provider), &ret);
	return ret;
}

/* fire(index, function that returns a number and a string) */
static napi_value fire(napi_env env, napi_callback_info info)
{
	size_t count = 2;
	napi_value args[2], both, part, self;
	uint32_t index;
	int64_t number;
	napi_get_cb_info(env, info, &count, args, &self, NULL);
	napi_get_value_uint32(env, args[0], &index);
	if (!usdt_is_enabled(probes[index]->probe))
		return NULL;
	napi_call_function(env, self, args[1], 0, NULL, &both);
	napi_get_element(env, both, 0, &part);
	napi_get_value_int64(env, part, &number);
	napi_get_element(env, both, 1, &part);
	char *text = text_of(env, part);
	void *values[] = { (void *)(intptr_t)number, text };
	usdt_fire_probe(probes[index]->probe, 2, values);
	free(text);
	return NULL;
}

NAPI_MODULE_INIT()
{
	const struct { const char *name; napi_callback function; } list[] = { { "create", create }, { "add", add }, { "enable", enable }, { "fire", fire } };
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		napi_value function;
		napi_create_function(env, list[i].name, NAPI_AUTO_LENGTH, list[i].function, NULL, &function);
		napi_set_named_property(env, exports, list[i].name, function);
	}
	return exports;
}
C
gcc -O1 -w -shared -fPIC -I /usr/include/node -I "$checkout/lib/usdt" -o addon.node addon.c -L "$usdt_library" -ldtrace-usdt || fail "cannot compile the addon"
cat >shop.js <<'J'
const probes = require('./addon.node');
probes.create('node_made', 'shop');
probes.add(0, 'sell', 'sold', 'int', 'char *');
if (probes.enable() != 0) throw 'enable';
let asked = 0;
for (let i = 0; i < Number(process.argv[2]); i++)
	probes.fire(0, () => { asked++; return [i - 50, i % 2 ? 'cake' : 'tea']; });
console.log('asked ' + asked);
J
node shop.js 3 >out 2>err || fail "untraced"
contains '^asked 0$'
must_trace_arrivals -Zn 'node_made$target:shop:sell:sold { @[copyinstr(arg1)] = sum((int)arg0); @n = count(); }
	END { printa("%s %@d\n", @); printa("sold %@d\n", @n); }' -c 'node shop.js 100'
contains '^asked 100$'
contains '^tea -50$'
contains '^cake 0$'
contains '^sold 100$'
exit 0
