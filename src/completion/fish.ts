import type { Flag, Place, Value } from "./grammar.ts";
import { namesOf, ownFlags, sharedFlags, widerFlags } from "./grammar.ts";
import { listProfiles } from "./profile-names.ts";

/** Completion for fish, from 3.1 on: a list of `complete`, each with the place on the line where it counts. */
export function fishScript(places: readonly Place[]): string {
  const shared = sharedFlags(places);
  return `# Completion of partner for fish, made by: partner completion fish
${walk(places, shared)}

function __partner_at
    set -l found (__partner_place)
    test "$found[1]" = "$argv[1]"
end

function __partner_anywhere
    set -l found (__partner_place)
    test "$found[1]" != help
end

function __partner_next
    set -l found (__partner_place)
    test "$found[1]" = "$argv[1]"; and test $found[3] = more
end

function __partner_argument
    set -l found (__partner_place)
    test "$found[1]" = "$argv[1]"; and test "$found[2]" = "$argv[2]"
end

function __partner_profiles
    ${listProfiles} 2>/dev/null </dev/null
end

complete -c partner -e
complete -c partner -f
${[
  ...places.flatMap(nextLines),
  ...places.flatMap(argumentLines),
  ...shared.map((flag) => flagLine("__partner_anywhere", flag)),
  ...places.flatMap((place) => ownFlagLines(place, shared)),
].join("\n")}
`;
}

function walk(places: readonly Place[], shared: readonly Flag[]): string {
  const known = places.filter(({ words }) => words !== "").map(({ words }) => quote(words));
  return `
# The place that the line has come to, the number of the argument that is typed there, and whether more words of a
# command may follow.
function __partner_place
    set -l known ${known.join(" ")}
    set -l valued ${valuedFlags(places).map(quote).join(" ")}
    set -l shared ${namesOf(shared).map(quote).join(" ")}
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l place
    set -l index 0
    set -l state open
    set -l words more
    for token in $tokens
        if test $state = value
            set state open
        else if test $state = ended
            set index (math $index + 1)
        else if test "$token" = --
            set state ended
            set words settled
        else if string match -q -- '-*' $token
            contains -- $token $valued; and set state value
            contains -- $token $shared; or string match -q -- '--*=*' $token; or set words settled
        else if test $words = more; and contains -- (string join ' ' -- $place $token) $known
            set -a place $token
        else
            set index (math $index + 1)
            set words settled
        end
    end
    echo "$place"
    echo $index
    echo $words
end`;
}

/**
 * Flags that take a value, wherever they are. Where one means something else elsewhere, the count may be off by one.
 */
function valuedFlags(places: readonly Place[]): string[] {
  const valued = places.flatMap(({ flags }) => flags.filter(({ value }) => value !== undefined));
  return [...new Set(namesOf(valued))];
}

function nextLines({ words, next }: Place): string[] {
  const condition = `__partner_next ${quote(words)}`;
  return next.map(({ text, summary }) => complete(condition, ["-a", quote(quote(text)), "-d", quote(summary)]));
}

function argumentLines({ words, args }: Place): string[] {
  return args.flatMap(({ value }, index) => {
    const offer = offerOf(value);
    return offer.length === 0 ? [] : [complete(`__partner_argument ${quote(words)} ${index}`, offer)];
  });
}

function ownFlagLines(place: Place, shared: readonly Flag[]): string[] {
  return [...ownFlags(place, shared), ...widerFlags(place, shared)].map((flag) =>
    flagLine(`__partner_at ${quote(place.words)}`, flag),
  );
}

function flagLine(condition: string, { long, short, summary, value }: Flag): string {
  const names = [...(short === undefined ? [] : ["-s", short.slice(1)]), "-l", long.slice(2)];
  const valued = value === undefined ? [] : [value.besides === "files" ? "-r" : "-x", ...offerOf(value)];
  return complete(condition, [...names, ...valued, "-d", quote(summary)]);
}

function offerOf({ words, besides }: Value): string[] {
  // Fish takes this text apart once more, as it would a line.
  const all = [...words.map(quote), ...(besides === "profiles" ? ["(__partner_profiles)"] : [])].join(" ");
  return [...(besides === "files" ? ["-F"] : []), ...(all === "" ? [] : ["-a", quote(all)])];
}

function complete(condition: string, parts: readonly string[]): string {
  return `complete -c partner -n ${quote(condition)} ${parts.join(" ")}`;
}

function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
