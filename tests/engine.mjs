/** For tests/test_engine.py: calls an engine for each line of JSON of the input, and writes a line for each. */
import { createInterface } from "node:readline";

/** @param {import("../kafu/javascript/engine.js").Engine} engine */
export async function answerCalls(engine) {
  for await (const line of createInterface({ input: process.stdin })) {
    const [name, ...given] = JSON.parse(line);
    const answer = await engine[name](...given).then(
      (value) => ({ value }),
      ({ name: kind, code, line: place, expected }) => ({ kind, code, line: place, expected }),
    );
    console.log(JSON.stringify(answer));
  }
}
