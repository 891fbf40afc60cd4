import { takeCoverage } from "node:v8";
import { afterAll } from "vitest";

// vitest ends its workers before they could write down what they ran.
afterAll(() => takeCoverage());
