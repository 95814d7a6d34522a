/** The program of tests/test_engine.py: calls the engine for each line of JSON, and writes a line for each. */
import { createInterface } from "node:readline";

import { Engine } from "../kafu/javascript/engine.js";

const engine = await Engine.start({ base: process.argv[2] });
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  const answer = await engine[name](...given).then(
    (value) => ({ value }),
    ({ name: kind, code, line: place, expected }) => ({ kind, code, line: place, expected }),
  );
  console.log(JSON.stringify(answer));
}
engine.close();
