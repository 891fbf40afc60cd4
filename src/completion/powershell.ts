import type { Flag, Place, Value } from "./grammar.ts";
import { namesOf, ownFlags, sharedFlags } from "./grammar.ts";
import { listProfiles } from "./profile-names.ts";
import type { ValueRule } from "./value-rules.ts";
import { valueRules } from "./value-rules.ts";

/**
 * Completion for PowerShell, from 5.1 on. Where it has nothing to offer PowerShell offers file names, which is what
 * flags that take a file need.
 */
export function powershellScript(places: readonly Place[]): string {
  const shared = sharedFlags(places);
  const named = places.filter(({ words }) => words !== "").map(({ words }) => words);
  return `# Completion of partner for PowerShell, made by: partner completion powershell

Register-ArgumentCompleter -Native -CommandName partner -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $lead = ''
    $prefix = "$wordToComplete"

    function Add-Candidate([string]$text, [string]$summary) {
        if (-not $text.StartsWith($prefix, [System.StringComparison]::Ordinal)) { return }
        if ($summary -eq '') { $summary = $text }
        $typed = if ($text -match '[^\\w./=-]') { "'" + $text.Replace("'", "''") + "'" } else { $text }
        [System.Management.Automation.CompletionResult]::new($lead + $typed, $text, 'ParameterValue', $summary)
    }

    function Add-Profiles {
        ${listProfiles} 2>$null | ForEach-Object { Add-Candidate $_ '' }
    }
${functions(places, shared)}
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1 | ForEach-Object { $_.Extent.Text })
    $known = ${list(named)}
    $shared = ${list(namesOf(shared))}
    $place = ''
    $settled = $false
    $index = 0
    $flag = ''
    $ended = $false
    foreach ($word in $words) {
        $longer = "$place $word".Trim()
        if ($flag -ne '') { $flag = '' }
        elseif ($ended) { $index++ }
        elseif ($word -ceq '--') { $ended = $true; $settled = $true }
        elseif ($word -like '-*') {
            if (Test-Valued $place $word) { $flag = $word }
            if ($shared -cnotcontains $word -and $word -notlike '--*=*') { $settled = $true }
        }
        elseif (-not $settled -and $known -ccontains $longer) { $place = $longer }
        else { $index++; $settled = $true }
    }
    if ($flag -eq '' -and -not $ended -and $prefix -cmatch '^(--[^=]+)=(.*)$') {
        $flag = $Matches[1]
        $lead = "$flag="
        $prefix = $Matches[2]
    }
    if ($flag -ne '') { Add-Values $place $flag }
    elseif (-not $ended -and $prefix -like '-*') { Add-Flags $place }
    else {
        if (-not $settled) { Add-Next $place }
        Add-Argument $place $index
    }
}
`;
}

function functions(places: readonly Place[], shared: readonly Flag[]): string {
  const rules = valueRules(places);
  const usual = rules.filter(({ places }) => places === undefined);
  const special = rules.filter(({ places }) => places !== undefined);
  const next = places.map(nextBranch).filter(isBusy);
  const flags = places.map((place) => flagBranch(place, shared)).filter(isBusy);
  // A special rule counts even where it offers nothing: it keeps the usual one away.
  const values = [...special.map(valueBranch), ...usual.map(valueBranch).filter(isBusy)];
  const tests = special.map((rule): Branch => [patternsOf(rule), [`return $${rule.value !== undefined}`]]);
  const valued = usual.flatMap((rule) => rule.flags);
  const args = places.flatMap(argumentBranches).filter(isBusy);
  return `
    function Add-Next([string]$place) {
${choice("$place", next)}
    }

    function Add-Flags([string]$place) {
${choice("$place", flags)}
        if ($place -ceq 'help') { return }
        ${shared.flatMap(flagCandidates).join("\n        ")}
    }

    function Add-Values([string]$place, [string]$flag) {
${choice('"$place $flag"', values)}
    }

    function Test-Valued([string]$place, [string]$flag) {
${choice('"$place $flag"', tests)}
        return ${list(valued)} -ccontains $flag
    }

    function Add-Argument([string]$place, [int]$index) {
${choice('"$place $index"', args)}
    }
`;
}

/** One branch of a `switch`: what it is for, and what is done. The first that fits decides. */
type Branch = readonly [patterns: readonly string[], lines: readonly string[]];

function nextBranch({ words, next }: Place): Branch {
  return [[words], next.map(({ text, summary }) => `Add-Candidate ${quote(text)} ${quote(summary)}`)];
}

function flagBranch(place: Place, shared: readonly Flag[]): Branch {
  return [[place.words], ownFlags(place, shared).flatMap(flagCandidates)];
}

function valueBranch(rule: ValueRule): Branch {
  return [patternsOf(rule), candidates(rule.value)];
}

function argumentBranches({ words, args }: Place): Branch[] {
  return args.map(({ value }, index) => [[`${words} ${index}`], candidates(value)]);
}

function isBusy([, lines]: Branch): boolean {
  return lines.length > 0;
}

function choice(subject: string, branches: readonly Branch[]): string {
  if (branches.length === 0) return "";
  const clauses = branches.flatMap(([patterns, lines]) =>
    patterns.map((pattern) => `            ${quote(pattern)} { ${[...lines, "break"].join("; ")} }\n`),
  );
  return `        switch -Wildcard -CaseSensitive (${subject}) {\n${clauses.join("")}        }`;
}

function patternsOf({ flags, places }: ValueRule): string[] {
  if (places === undefined) return flags.map((flag) => `* ${flag}`);
  return places.flatMap((place) => flags.map((flag) => `${place} ${flag}`));
}

function flagCandidates(flag: Flag): string[] {
  return namesOf([flag]).map((name) => `Add-Candidate ${quote(name)} ${quote(flag.summary)}`);
}

function candidates(value: Value | undefined): string[] {
  if (value === undefined) return [];
  const words = value.words.map((word) => `Add-Candidate ${quote(word)} ''`);
  return value.besides === "profiles" ? [...words, "Add-Profiles"] : words;
}

function list(texts: readonly string[]): string {
  return `@(${texts.map(quote).join(", ")})`;
}

/**
 * Plain ASCII, whatever the text holds: Windows PowerShell reads a file without a mark in the machine's own encoding.
 */
function quote(text: string): string {
  const parts = text.match(/[ -~]+|[^ -~]/g) ?? [];
  const quoted = parts.map((part) => (/^[ -~]/.test(part) ? `'${part.replaceAll("'", "''")}'` : character(part)));
  return /^[ -~]*$/.test(text) ? (quoted[0] ?? "''") : `('' + ${quoted.join(" + ")})`;
}

function character(unit: string): string {
  return `[char]0x${unit.charCodeAt(0).toString(16)}`;
}
