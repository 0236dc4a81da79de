# What: bash and zsh complete letters, long names, options with their words, and parts of probes.
. "$LIB"
command -v make >/dev/null || skip "no make here"
(cd "$checkout" && make --no-print-directory -s completion 2>&1) || fail "make completion"
made=$checkout/build/completion
ln -s "$DTRACE" dtrace
PATH=$PWD:$PATH
mkdir mine
: >mine/mytool.d

cat >ask.bash <<'END'
. "$1/dtrace.bash"
ask() { # the command line up to the cursor: what it may become
	COMP_LINE=$1 COMP_POINT=${#1}
	# as readline cuts it
	read -ra COMP_WORDS <<<"${1//:/ : }"
	[[ $1 == *\  ]] && COMP_WORDS+=("")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
	_dtrace
	echo "$1 => ${COMPREPLY[*]}"
}
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
END
bash ask.bash "$made" >out 2>err || fail "bash: $(cat err)"
same "$(cat err)" "" "what bash says"
cat >wanted <<'END'
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
END
diff wanted out || fail "bash completes otherwise"
# Each provider once, none that no description can name.
providers=$(sed -n "s/^_dtrace_providers='\(.*\)'/\1/p" "$made/dtrace.bash" | tr ' ' '\n' | sed '/^$/d')
same "$(echo "$providers" | sort | uniq -d)" "" "providers that are offered twice"
same "$(echo "$providers" | grep -v '^[a-z]*$')" "" "names that are no providers"

command -v zsh >/dev/null || skip "bash is fine; no zsh here"
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
for line in 'dtrace --qui' 'dtrace -x bufpol' 'dtrace -P sysc' 'dtrace -s execsn' 'dtrace -x tooldir=mine -s myt' 'dtrace -n syscall::getppi'; do
	zpty -n -w shell "$line"$'\t'$'\C-g'
	asked=$((asked + 1))
	repeat 100; do [[ $(cat lines 2>/dev/null | wc -l) -ge $asked ]] && break; sleep 0.1; done
done
zpty -d shell
END
timeout 100 zsh -f ask.zsh "$made" >zsh.out 2>&1 || fail "zsh: $(cat zsh.out)"
same "$(tr '\n' '|' <lines)" 'dtrace --quiet |dtrace -x bufpolicy=|dtrace -P syscall:|dtrace -s execsnoop |dtrace -x tooldir=mine -s mytool |dtrace -n syscall::getppid:|' "what zsh completes"
