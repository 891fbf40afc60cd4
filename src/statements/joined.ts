/** With more names than these, all of them are taken as joined. */
export const joinedMaxCount = 50_000;

/** Names that are joined in pairs, and whether all of them belong together. */
export class Joined {
  readonly #parents = new Map<string, string>();
  #groups = 0;

  join(one: string, other: string): void {
    if (this.#parents.size > joinedMaxCount) return;
    const [root, otherRoot] = [this.#rootOf(one), this.#rootOf(other)];
    if (root === otherRoot) return;
    this.#parents.set(otherRoot, root);
    this.#groups -= 1;
  }

  get areAll(): boolean {
    return this.#groups <= 1 || this.#parents.size > joinedMaxCount;
  }

  #rootOf(name: string): string {
    if (!this.#parents.has(name)) {
      this.#parents.set(name, name);
      this.#groups += 1;
    }
    for (let at = name; ;) {
      const above = this.#parents.get(at) ?? at;
      if (above === at) return at;
      // Halves the way for the next time.
      const next = this.#parents.get(above) ?? above;
      this.#parents.set(at, next);
      at = next;
    }
  }
}
