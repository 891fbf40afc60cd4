import type { Flag, Place, Value } from "./grammar.ts";
import { sharedFlags } from "./grammar.ts";
import { listProfiles } from "./profile-names.ts";

/** Completion for fish, from 3.1 on: a list of `complete`, each with the place on the line where it counts. */
export function fishScript(places: readonly Place[]): string {
  const shared = sharedFlags(places);
  const named = places.filter(({ words }) => words !== "").map(({ words }) => words);
  const commands = places.filter(({ isCommand }) => isCommand).map(({ words }) => words);
  return `# Completion of partner for fish, made by: partner completion fish
${walk(named, valuedFlags(places))}

function __partner_at
    set -l found (__partner_place)
    test "$found[1]" = "$argv[1]"
end

function __partner_at_command
    set -l found (__partner_place)
    contains -- "$found[1]" ${commands.map(quote).join(" ")}
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
  ...shared.map((flag) => flagLine("__partner_at_command", flag)),
  ...places.flatMap((place) => ownFlagLines(place, shared)),
].join("\n")}
`;
}

function walk(named: readonly string[], valued: readonly string[]): string {
  return `
# The place that the line has come to, and the number of the argument that is typed there.
function __partner_place
    set -l known ${named.map(quote).join(" ")}
    set -l valued ${valued.map(quote).join(" ")}
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l place
    while set -q tokens[1]; and contains -- (string join ' ' -- $place $tokens[1]) $known
        set -a place $tokens[1]
        set -e tokens[1]
    end
    set -l index 0
    set -l state open
    for token in $tokens
        if test $state = value
            set state open
        else if test $state = open; and contains -- $token $valued
            set state value
        else if test $state = open; and test "$token" = --
            set state ended
        else if test $state = ended; or not string match -q -- '-*' $token
            set index (math $index + 1)
        end
    end
    echo "$place"
    echo $index
end`;
}

/** Flags that take a value, wherever they are. Where one means something else elsewhere, the count may be off by one. */
function valuedFlags(places: readonly Place[]): string[] {
  const valued = places.flatMap(({ flags }) => flags.filter(({ value }) => value !== undefined));
  return [...new Set(valued.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short])))];
}

function nextLines({ words, next }: Place): string[] {
  const condition = `__partner_argument ${quote(words)} 0`;
  return next.map(({ text, summary }) => complete(condition, ["-a", quote(quote(text)), "-d", quote(summary)]));
}

function argumentLines({ words, args }: Place): string[] {
  return args.flatMap(({ value }, index) => {
    const offer = offerOf(value);
    return offer.length === 0 ? [] : [complete(`__partner_argument ${quote(words)} ${index}`, offer)];
  });
}

function ownFlagLines({ words, flags, isCommand }: Place, shared: readonly Flag[]): string[] {
  const own = isCommand ? flags.filter(({ long }) => !shared.some((flag) => flag.long === long)) : flags;
  return own.map((flag) => flagLine(`__partner_at ${quote(words)}`, flag));
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
