import type { Flag, Place, Value } from "./grammar.ts";
import { sharedFlags } from "./grammar.ts";
import { listProfiles } from "./profile-names.ts";
import type { ValueRule } from "./value-rules.ts";
import { valueRules } from "./value-rules.ts";

/**
 * Completion for bash, from 3.2 (macOS) on and without the bash-completion package. Words are compared one by one:
 * `compgen -W` would run what stands between backticks in them.
 */
export function bashScript(places: readonly Place[]): string {
  const shared = sharedFlags(places);
  return `# Completion of partner for bash, made by: partner completion bash
${walk(places)}
${offer}

# What may follow a place.
_partner_next() {
  case $1 in
${branches(merged(nextBranches(places)))}
  esac
}

_partner_flags() {
  local -a shared=(${shared.flatMap(namesOf).map(quote).join(" ")})
  case $1 in
${branches(merged(flagBranches(places, shared)))}
  esac
}

# The value of a flag; false where the flag takes none.
_partner_value() {
  case "$1 $2" in
${branches(valueRules(places).map(valueBranch))}
    *) return 1 ;;
  esac
}

# The argument with that number.
_partner_argument() {
  case "$1 $2" in
${branches(merged(argumentBranches(places)))}
    *) ;;
  esac
}

complete -F _partner partner
`;
}

/** Finds the place that the line has come to, and what is being typed there. */
function walk(places: readonly Place[]): string {
  const known = places.flatMap(({ words }) => (words === "" ? [] : [quote(placeName(words))]));
  return `
_partner() {
  local cur=\${COMP_WORDS[COMP_CWORD]} lead='' at='' flag='' ended='' besides='' index=0 i first word
  local -a words=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${known.join(" | \\\n      ")})
        at+=" \${COMP_WORDS[i]}" ;;
      *) break ;;
    esac
  done
  first=$i
  for (( ; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $flag ]]; then
      # --output=json comes as three words.
      [[ $word == '=' ]] || flag=''
    elif [[ -n $ended ]]; then
      ((index++))
    elif [[ $word == -- ]]; then
      ended=yes
    elif [[ $word == -* ]]; then
      _partner_value "$at" "$word" && flag=$word
    else
      ((index++))
    fi
  done
  words=() besides=''
  if [[ -z $flag$ended && $cur == --*=* ]]; then
    flag=\${cur%%=*} lead=\${cur%%=*}= cur=\${cur#*=}
  fi
  if [[ -n $flag ]]; then
    [[ $cur == '=' ]] && cur=''
    _partner_value "$at" "$flag"
  elif [[ $cur == -* && -z $ended ]]; then
    _partner_flags "$at"
  else
    _partner_argument "$at" "$index"
    _partner_offer
    words=() besides=''
    ((COMP_CWORD == first)) && _partner_next "$at"
  fi
  _partner_offer
}`;
}

const offer = `
_partner_offer() {
  local word
  if [[ $besides == profiles ]]; then
    while IFS= read -r word; do
      words+=("$word")
    done < <(${listProfiles} 2>/dev/null </dev/null)
  elif [[ $besides == files ]] && ! compopt -o default 2>/dev/null; then
    while IFS= read -r word; do
      COMPREPLY+=("$lead$word")
    done < <(compgen -f -- "$cur")
  fi
  for word in \${words[@]+"\${words[@]}"}; do
    [[ $word == "$cur"* ]] || continue
    printf -v word %q "$word"
    COMPREPLY+=("$lead$word")
  done
}`;

/** One branch of a `case`: patterns, quoted already, and what is done. */
type Branch = readonly [patterns: readonly string[], command: string];

function nextBranches(places: readonly Place[]): Branch[] {
  return places.flatMap(({ words, next }): Branch[] =>
    next.length === 0 ? [] : [[[quote(placeName(words))], listOf(next.map(({ text }) => quote(text)))]],
  );
}

function flagBranches(places: readonly Place[], shared: readonly Flag[]): Branch[] {
  const isShared = ({ long }: Flag) => shared.some((flag) => flag.long === long);
  return places.flatMap(({ words, flags, isCommand }): Branch[] => {
    const own = isCommand ? flags.filter((flag) => !isShared(flag)) : flags;
    const names = own.flatMap(namesOf).map(quote);
    const all = isCommand && shared.length > 0 ? [...names, '"${shared[@]}"'] : names;
    return all.length === 0 ? [] : [[[quote(placeName(words))], listOf(all)]];
  });
}

function valueBranch({ flags, places, value }: ValueRule): Branch {
  const patterns =
    places === undefined
      ? flags.map((flag) => `*${quote(` ${flag}`)}`)
      : places.flatMap((place) => flags.map((flag) => quote(`${placeName(place)} ${flag}`)));
  return [patterns, value === undefined ? "return 1" : candidates(value)];
}

function argumentBranches(places: readonly Place[]): Branch[] {
  return places.flatMap(({ words, args }) =>
    args.flatMap(({ value }, index): Branch[] =>
      isOpen(value) ? [] : [[[quote(`${placeName(words)} ${index}`)], candidates(value)]],
    ),
  );
}

/** True where nothing can be said of the value. */
function isOpen({ words, besides }: Value): boolean {
  return words.length === 0 && besides === "nothing";
}

function candidates({ words, besides }: Value): string {
  const parts = [words.length === 0 ? "" : listOf(words.map(quote)), besides === "nothing" ? "" : `besides=${besides}`];
  return parts.filter((part) => part !== "").join(" ") || ":";
}

function listOf(quoted: readonly string[]): string {
  return `words=(${quoted.join(" ")})`;
}

/** The first branch that fits decides. */
function branches(all: readonly Branch[]): string {
  return all.map(([patterns, command]) => `    ${patterns.join(" | ")}) ${command} ;;`).join("\n");
}

/** Branches with the same end as one, where no two fit the same word and their order says nothing. */
function merged(all: readonly Branch[]): Branch[] {
  const byCommand = Map.groupBy(all, ([, command]) => command);
  return [...byCommand].map(([command, same]) => [same.flatMap(([patterns]) => patterns), command]);
}

/** As `at` holds it: a blank before each word, so that a wildcard before a flag's name ends at a word. */
function placeName(words: string): string {
  return words === "" ? "" : ` ${words}`;
}

function namesOf({ long, short }: Flag): string[] {
  return short === undefined ? [long] : [long, short];
}

function quote(text: string): string {
  return /^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
