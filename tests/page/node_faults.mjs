// Calls that fail, in node: prints the messages as JSON. Arguments: the core (.wasm), texts of numbers as a JSON list.
import { readFileSync } from "node:fs";
import { Core } from "../../apps/page/core.mjs";

const core = await Core.load(readFileSync(process.argv[2]));
const messageOf = (body) => {
  try {
    body();
    return "";
  } catch (error) {
    return error.message;
  }
};
const call = (changes) => ({ dtype: "uint8", shape: [4, 4, 3], axes: [0, 1], sizes: [8, 8], ...changes });
const answers = {
  mode: messageOf(() => core.plan(call({ attributes: { mode: "cubik" } }))),
  sizes: messageOf(() => core.plan(call({ sizes: [8] }))),
  both: messageOf(() => core.plan(call({ scales: [2, 2] }))),
  number: messageOf(() => core.plan(call({ sizes: [NaN, 8] }))),
  large: messageOf(() => core.plan(call({ sizes: [40960, 40960] }))),
  type: messageOf(() => core.plan(call({ dtype: "complex1" }))),
  field: messageOf(() => core.plan(call({ fields: { rules: "mxnet" } }))),
  memory: messageOf(() => core.reserve(2 ** 31)),
};
answers.numbers = JSON.parse(process.argv[3]).map((position_scales) =>
  messageOf(() => core.plan(call({ attributes: { mode: "linear" }, fields: { position_scales } }))));
// Nearly all memory that the module may have is taken: the call ends the instance, and another serves.
core.plan(call({ sizes: [2000, 2000], attributes: { mode: "linear" } }));
for (let bytes = 2 ** 26; bytes >= 2 ** 14; bytes /= 2)
  while (messageOf(() => core.reserve(bytes)) === "") ;
answers.explain = messageOf(() => core.explain(0, 0, 2000));
answers.stopped = core.stopped;
await core.revive();
answers.after = core.plan(call({}));
console.log(JSON.stringify(answers));
