# What: bash, zsh and fish complete letters, long names, options with their words, parts of probes, processes, and functions of the target.
# Executors: usual (it completes command lines).
. "$LIB"
command -v make >/dev/null || skip "no make here"
(cd "$checkout" && make --no-print-directory -s completion 2>&1) || fail "make completion"
made=$checkout/build/completion
ln -s "$DTRACE" dtrace
PATH=$PWD:$PATH
mkdir mine
: >mine/mytool.d
sleep 300 &
target=$!
trap 'kill $target' EXIT

cat >ask.bash <<'END'
. "$1/dtrace.bash"
ask() { # the command line up to the cursor: what it may become
	COMP_LINE=$1 COMP_POINT=${#1}
	# as readline cuts it
	read -ra COMP_WORDS <<<"${1//:/ : }"
	[[ $1 == *\  ]] && COMP_WORDS+=("")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
	_dtrace
	printf '%s => %s\n' "$1" "${COMPREPLY[*]}"
}
p="-p $2 -n"
ask 'dtrace --qu'
ask 'dtrace -x bufp'
ask 'dtrace -x bufpolicy=r'
ask 'dtrace -n sysc'
ask 'dtrace -n syscall::getppi'
ask "dtrace -n 'syscall::getppid:en"
ask 'dtrace -n BEG'
ask 'dtrace -P prof'
ask 'dtrace -s execs'
ask 'dtrace -x tooldir=mine -s my'
ask 'dtrace -n syscall::nothing_like_it'
ask "dtrace -p $2"
ask "dtrace --pid=$2"
ask 'dtrace -p x'
ask "dtrace $p 'pid\$target:libc:getpi"
ask "dtrace $p \"pid\\\$target:libc:getpi"
ask "dtrace $p pid\\\$target:libc:getpi"
ask "dtrace $p 'pid\$target:libc:getpid:en"
ask "dtrace $p 'pid\$target:libc.so"
ask "dtrace $p 'pid\$target:a.o"
ask "dtrace -n 'pid$2:libc:getpi"
ask "dtrace -c 'sleep 1' -n 'pid\$target:libc:getpi"
ask "dtrace -csleep -n 'pid\$target:libc:getpi"
ask "dtrace -c '\$(touch ran)' -n 'pid\$target:libc:getpi"
ask "dtrace -c 'touch ran' -n 'pid\$target:libc:getpi"
ask "dtrace -n 'pi"
ask 'dtrace -n pi'
# What comes after the cursor names the target, too.
COMP_LINE="dtrace -n 'pid\$target:libc:getpi' -p $2" COMP_POINT=32 COMP_WORDS=(dtrace -n "'pid\$target:libc:getpi") COMP_CWORD=2
_dtrace
echo "${COMPREPLY[*]}"
# Processes that begin alike have their names shown; what a menu inserts has none.
ask "dtrace -p " | grep -o " $2 ([a-z]*)"
COMP_TYPE=37
ask "dtrace -p " | grep -o " $2 [^ ]*" | grep '('
END
bash ask.bash "$made" $target >out 2>err || [ ! -s err ] || fail "bash: $(cat err)"
same "$(cat err)" "" "what bash says"
p="-p $target -n"
cat >wanted <<END
dtrace --qu => --quiet
dtrace -x bufp => bufpolicy=switch bufpolicy=fill bufpolicy=ring
dtrace -x bufpolicy=r => ring
dtrace -n sysc => syscall:
dtrace -n syscall::getppi => getppid:
dtrace -n 'syscall::getppid:en => syscall::getppid:entry
dtrace -n BEG => BEGIN
dtrace -P prof => profile
dtrace -s execs => execsnoop
dtrace -x tooldir=mine -s my => mytool
dtrace -n syscall::nothing_like_it => 
dtrace -p $target => $target
dtrace --pid=$target => $target
dtrace -p x => 
dtrace $p 'pid\$target:libc:getpi => pid\$target:libc:getpid: pid\$target:libc:getpid: 
dtrace $p "pid\\\$target:libc:getpi => pid\\\$target:libc:getpid: pid\\\$target:libc:getpid: 
dtrace $p pid\\\$target:libc:getpi => getpid:
dtrace $p 'pid\$target:libc:getpid:en => pid\$target:libc:getpid:entry
dtrace $p 'pid\$target:libc.so => pid\$target:libc.so.6: pid\$target:libc.so.6: 
dtrace $p 'pid\$target:a.o => pid\$target:a.out: pid\$target:a.out: 
dtrace -n 'pid$target:libc:getpi => pid$target:libc:getpid: pid$target:libc:getpid: 
dtrace -c 'sleep 1' -n 'pid\$target:libc:getpi => pid\$target:libc:getpid: pid\$target:libc:getpid: 
dtrace -csleep -n 'pid\$target:libc:getpi => pid\$target:libc:getpid: pid\$target:libc:getpid: 
dtrace -c '\$(touch ran)' -n 'pid\$target:libc:getpi => 
dtrace -c 'touch ran' -n 'pid\$target:libc:getpi => pid\$target:libc:getpid: pid\$target:libc:getpid: 
dtrace -n 'pi => pid\$target: pid\$target: 
dtrace -n pi => pid\\\$target:
pid\$target:libc:getpid: pid\$target:libc:getpid: 
 $target (sleep)
END
diff wanted out || fail "bash completes otherwise"
[ ! -e ran ] || fail "the command of -c has run"
# Each provider once, none that no description can name.
providers=$(sed -n "s/^_dtrace_providers='\(.*\)'/\1/p" "$made/dtrace.bash" | tr ' ' '\n' | sed '/^$/d')
same "$(echo "$providers" | sort | uniq -d)" "" "providers that are offered twice"
same "$(echo "$providers" | grep -v '^[a-z]*$')" "" "names that are no providers"

missing=
if command -v fish >/dev/null; then
	cat >ask.fish <<'END'
source $argv[1]/dtrace.fish
set p "-p $argv[2] -n"
function ask
	echo "$argv => "(complete -C "$argv" | cut -f1 | sort | string join ' ')
end
ask 'dtrace --qu'
ask 'dtrace -x bufp'
ask 'dtrace -x bufpolicy=r'
ask 'dtrace -n sysc'
ask 'dtrace -n syscall::getppi'
ask "dtrace -n 'syscall::getppid:en"
ask 'dtrace -n BEG'
ask 'dtrace -P prof'
ask 'dtrace -s execs'
ask 'dtrace -x tooldir=mine -s my'
ask "dtrace -p $argv[2]"
ask "dtrace $p 'pid\$target:libc:getpi"
ask "dtrace $p pid\\\$target:libc:getpi"
ask "dtrace $p 'pid\$target:libc:getpid:en"
ask "dtrace $p 'pid\$target:a.o"
ask "dtrace -n 'pid$argv[2]:libc:getpi"
ask "dtrace -c 'sleep 1' -n 'pid\$target:libc:getpi"
ask "dtrace -n 'pi"
END
	timeout 100 fish --no-config ask.fish "$made" $target >out 2>err || fail "fish: $(cat err)"
	same "$(cat err)" "" "what fish says"
	cat >wanted <<END
dtrace --qu => --quiet
dtrace -x bufp => bufpolicy=fill bufpolicy=ring bufpolicy=switch
dtrace -x bufpolicy=r => bufpolicy=ring
dtrace -n sysc => syscall:
dtrace -n syscall::getppi => syscall::getppid:
dtrace -n 'syscall::getppid:en => syscall::getppid:entry
dtrace -n BEG => BEGIN
dtrace -P prof => profile
dtrace -s execs => execsnoop
dtrace -x tooldir=mine -s my => mytool
dtrace -p $target => $target
dtrace $p 'pid\$target:libc:getpi => pid\$target:libc:getpid:
dtrace $p pid\\\$target:libc:getpi => pid\$target:libc:getpid:
dtrace $p 'pid\$target:libc:getpid:en => pid\$target:libc:getpid:entry
dtrace $p 'pid\$target:a.o => pid\$target:a.out:
dtrace -n 'pid$target:libc:getpi => pid$target:libc:getpid:
dtrace -c 'sleep 1' -n 'pid\$target:libc:getpi => pid\$target:libc:getpid:
dtrace -n 'pi => pid\$target:
END
	diff wanted out || fail "fish completes otherwise"
else
	missing=fish
fi

command -v zsh >/dev/null || skip "no zsh here${missing:+, and no }$missing"
# A terminal for zsh, in which the tabulator key is pressed; ^G prints the resulting line.
cat >ask.zsh <<'END'
zmodload zsh/zpty
cat >rc <<RC
PS1='> '
fpath=($1 \$fpath)
path=($PWD \$path)
autoload -U compinit
compinit -u -D
show() { print -r -- "\$BUFFER" >>$PWD/lines; BUFFER= }
zle -N show
bindkey '^G' show
bindkey '^I' complete-word
print ready >$PWD/ready
RC
zpty -b shell zsh -f -i
zpty -w shell ". $PWD/rc"
repeat 200; do [[ -s $PWD/ready ]] && break; sleep 0.1; done
asked=0
for line in 'dtrace --qui' 'dtrace -x bufpol' 'dtrace -P sysc' 'dtrace -s execsn' 'dtrace -x tooldir=mine -s myt' 'dtrace -n syscall::getppi' "dtrace -p $2" "dtrace -p $2 -n 'pid\$target:libc:getpi" "dtrace -p $2 -n pid\\\$target:libc:getpi" "dtrace -c 'sleep 1' -n 'pid\$target:libc:getpid:en" "dtrace -n 'pi"; do
	zpty -n -w shell "$line"$'\t'$'\C-g'
	asked=$((asked + 1))
	repeat 100; do [[ $(cat lines 2>/dev/null | wc -l) -ge $asked ]] && break; sleep 0.1; done
done
zpty -d shell
END
timeout 100 zsh -f ask.zsh "$made" $target >zsh.out 2>&1 || fail "zsh: $(cat zsh.out)"
same "$(tr '\n' '|' <lines)" 'dtrace --quiet |dtrace -x bufpolicy=|dtrace -P syscall:|dtrace -s execsnoop |dtrace -x tooldir=mine -s mytool |dtrace -n syscall::getppid:|'"dtrace -p $target |dtrace $p 'pid\$target:libc:getpid:|dtrace $p pid\\\$target:libc:getpid:|dtrace -c 'sleep 1' -n 'pid\$target:libc:getpid:entry' |dtrace -n 'pid\$target:|" "what zsh completes"
[ -z "$missing" ] || skip "bash and zsh are fine; no fish here"
