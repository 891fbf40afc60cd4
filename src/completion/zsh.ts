import type { Argument, Flag, Place, Value, Word } from "./grammar.ts";
import { namesOf, ownFlags, sharedFlags, widerFlags } from "./grammar.ts";
import { listProfiles } from "./profile-names.ts";

/**
 * Completion for zsh by its own `_arguments`, which knows what was given already and shows what each flag means. The
 * script is good as a file `_partner` in `$fpath` and for `source`, after compinit.
 */
export function zshScript(places: readonly Place[]): string {
  const shared = sharedFlags(places);
  const valued = namesOf(shared.filter(({ value }) => value !== undefined));
  const toggles = namesOf(shared.filter(({ value }) => value === undefined));
  return `#compdef partner
# Completion of partner for zsh, made by: partner completion zsh

_partner() {
  local at= word longer curcontext="$curcontext"
  integer i=2 length=0 ret=1
  local -a flags next specs shared
  local -a known=(${known(places).join(" ")})
  local -a valued=(${valued.join(" ")}) toggles=(${toggles.join(" ")})
  while (( i < CURRENT )); do
    word=$words[i] longer="$at $words[i]"
    # Flags that every command has may stand between its words.
    if (( \${valued[(Ie)$word]} )); then
      flags+=("\${(@)words[i,i+1]}")
      (( i++ ))
    elif [[ $word == --*=* ]] || (( \${toggles[(Ie)$word]} )); then
      flags+=("$word")
    elif (( \${known[(Ie)$longer]} )); then
      at=$longer
      (( length++ ))
    else
      break
    fi
    (( i++ ))
  done
  shared=(
${lines(shared.flatMap(flagSpecs))}
  )
  case $at in
${places.map((place) => branch(place, shared)).join("\n")}
  esac
  integer open=$(( i == CURRENT ))
  words=("partner$at" "\${flags[@]}" "\${(@)words[i,-1]}")
  (( CURRENT -= length ))
  curcontext="\${curcontext%:*:*}:partner\${at// /-}:"
  if (( open && $#next )) && [[ $PREFIX != -* ]]; then
    _describe -t commands command next && ret=0
    (( \${specs[(I)[0-9]*]} )) || return ret
  fi
  (( $#specs )) && _arguments -S : "\${specs[@]}" && ret=0
  return ret
}

# Some words as values, and files or the names of profiles besides.
_partner_offer() {
  local name=$1 besides=$2
  integer ret=1
  local -a expl choices
  choices=("\${@[3,-1]}")
  case $besides in
    (profiles) choices+=(\${(f)"$(${listProfiles} 2>/dev/null </dev/null)"}) ;;
    (files) _files && ret=0 ;;
  esac
  (( $#choices )) && _wanted values expl $name compadd -a choices && ret=0
  return ret
}

if [[ $funcstack[1] == _partner ]]; then
  _partner "$@"
else
  compdef _partner partner
fi
`;
}

function known(places: readonly Place[]): string[] {
  return places.flatMap(({ words }) => (words === "" ? [] : [quote(` ${words}`)]));
}

function branch(place: Place, shared: readonly Flag[]): string {
  const { words, next, flags, args } = place;
  const wider = widerFlags(place, shared);
  const own = [...args.map(argumentSpec), ...[...ownFlags(place, shared), ...wider].flatMap(flagSpecs)];
  // Each spec begins with the names that it rules out: its own.
  const others = wider.reduce(
    (list, flag) => `\${(@)${list}:#${String.raw`\(${namesOf([flag]).toReversed().join(" ")}\)`}*}`,
    "shared[@]",
  );
  const rest = wider.length === 0 ? "${shared[@]}" : others;
  const specs = flags.length === 0 ? [] : [lines(own), `      "${rest}"`].filter((part) => part !== "");
  const parts = [
    ...(next.length === 0 ? [] : [`      next=(\n${lines(next.map(describe))}\n      )`]),
    ...(specs.length === 0 ? [] : [`      specs=(\n${specs.join("\n")}\n      )`]),
  ];
  return `    (${quote(words === "" ? "" : ` ${words}`)})\n${parts.join("\n")}\n      ;;`;
}

/** `'word:what it does'`. */
function describe({ text, summary }: Word): string {
  return `${escape(text, /[:\\]/g)}:${escape(summary, /\\/g)}`;
}

function flagSpecs({ long, short, summary, value, repeats }: Flag): string[] {
  const excluded = repeats ? "*" : short === undefined ? "" : `(${short} ${long})`;
  const rest = `[${escape(summary, /[[\]\\]/g)}]${value === undefined ? "" : valueSpec(value)}`;
  const brief = short === undefined ? [] : [value === undefined ? short : `${short}+`];
  return [...brief, value === undefined ? long : `${long}=`].map((name) => `${excluded}${name}${rest}`);
}

function argumentSpec({ value, required }: Argument, index: number): string {
  return `${index + 1}${required ? "" : ":"}${valueSpec(value)}`;
}

/**
 * A blank before the action: _arguments then calls it as it stands. A backslash means something before a colon alone.
 */
function valueSpec({ name, words, besides }: Value): string {
  const isOpen = words.length === 0 && besides === "nothing";
  const action = isOpen ? "" : ["_partner_offer", name, besides, ...words].map(actionWord).join(" ");
  return `:${escape(name.replaceAll("\\", ""), /:/g)}: ${escape(action, /:/g)}`;
}

/** A word of an action, which is taken apart once more: in quotes, and without a backslash before a colon. */
function actionWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`).replaceAll("\\:", "\\'':")}'`;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `      ${quote(text)}`).join("\n");
}

function escape(text: string, characters: RegExp): string {
  return text.replaceAll(characters, String.raw`\$&`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
