import type { Rule } from "./rules.ts";

const exportedType = /^export (?:abstract )?(?:type|interface|class) (\w+)/gm;

/** If two types share a name, a reader may look at the wrong one. */
export const exportedTypesHaveOneName: Rule = (sources) => {
  const declared = sources
    .filter(({ path }) => path.startsWith("src/"))
    .flatMap(({ path, text }) => [...text.matchAll(exportedType)].map(([, name = ""]) => ({ name, path })));
  return [...Map.groupBy(declared, ({ name }) => name)].flatMap(([name, all]) =>
    all.length > 1 ? [`${name} is the name of a type in ${all.map(({ path }) => path).join(" and ")}`] : [],
  );
};
