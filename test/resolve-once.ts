import { registerHooks } from "node:module";

// The program imports parts of itself while it runs, thousands of times in one worker. vitest reports each time to
// its main process, and needs nothing from it; here a part is found once.
type Resolve = NonNullable<Parameters<typeof registerHooks>[0]["resolve"]>;
type Found = ReturnType<Resolve>;

const registered = Symbol.for("partner.resolve-once");
const sources = new URL("../src/", import.meta.url).href;

if (!Reflect.has(globalThis, registered)) {
  Reflect.set(globalThis, registered, true);
  const known = new Map<string, Found>();
  registerHooks({
    resolve(specifier, context, resolveNext) {
      if (context.parentURL?.startsWith(sources) !== true) return resolveNext(specifier, context);
      const key = `${context.parentURL} ${specifier}`;
      const found = known.get(key) ?? resolveNext(specifier, context);
      known.set(key, found);
      return { ...found, shortCircuit: true };
    },
  });
}
