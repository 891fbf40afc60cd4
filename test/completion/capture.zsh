# Inside of the terminal: says in $CAPTURED what completion offers, a word and its summary a line.
PROMPT=
stty columns 1000
autoload -U compinit && compinit -u -D
compadd() {
  local at hidden; local -a hits shown
  for ((at = 1; at <= $#; at++)); do
    case $argv[at] in
      (-O | -A | -D) hidden=yes ;;
      (-d) shown=("${(@P)argv[at+1]}") ;;
      (- | --) break ;;
    esac
  done
  if [[ -z $hidden ]]; then
    builtin compadd -O hits -D shown "$@"
    for ((at = 1; at <= $#hits; at++)) print -r -- "$hits[at]"$'\t'"$shown[at]" >> $CAPTURED
  fi
  builtin compadd "$@"
}
capture() {
  _main_complete
  print -r -- END >> $CAPTURED
  compstate[insert]= compstate[list]=
  print CAPT"URED"
}
zle -C capture complete-word capture
bindkey '^T' capture
source $COMPLETION
print READ"Y"
