import type { Flag, Place, Value } from "./grammar.ts";
import { namesOf, ownFlags, sharedFlags } from "./grammar.ts";
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
${walk(places, shared)}
${offer}

# What may follow a place.
_partner_next() {
  case $1 in
${branches(merged(nextBranches(places)))}
  esac
}

_partner_flags() {
  local -a shared=(${namesOf(shared).map(quote).join(" ")})
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
function walk(places: readonly Place[], shared: readonly Flag[]): string {
  const known = places.flatMap(({ words }) => (words === "" ? [] : [quote(placeName(words))]));
  return `
_partner() {
  local cur=\${COMP_WORDS[COMP_CWORD]} lead='' at='' settled='' flag='' ended='' besides='' index=0 i word
  local -a words=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $flag ]]; then
      # --output=json comes as three words.
      [[ $word == '=' ]] || flag=''
    elif [[ -n $ended ]]; then
      ((index++))
    elif [[ $word == -- ]]; then
      ended=yes settled=yes
    elif [[ $word == -* ]]; then
      _partner_value "$at" "$word" && flag=$word
      _partner_shared "$word" || settled=yes
    elif [[ -z $settled ]] && _partner_place "$at $word"; then
      at+=" $word"
    else
      ((index++))
      settled=yes
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
    [[ -z $settled ]] && _partner_next "$at"
  fi
  _partner_offer
}

# True where these words lead to a command or are one.
_partner_place() {
  case $1 in
    ${known.join(" | \\\n    ")}) ;;
    *) return 1 ;;
  esac
}

# True for flags that may stand between the words of a command.
_partner_shared() {
  case $1 in
    ${[...namesOf(shared).map(quote), "--*=*"].join(" | ")}) ;;
    *) return 1 ;;
  esac
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
  return places.flatMap((place): Branch[] => {
    if (place.flags.length === 0) return [];
    const own = namesOf(ownFlags(place, shared)).map(quote);
    return [[[quote(placeName(place.words))], listOf([...own, '"${shared[@]}"'])]];
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

function quote(text: string): string {
  return /^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
