// Reads links in node and prints what holds then. Arguments: the core (.wasm), the links as a JSON list.
import { readFileSync } from "node:fs";
import { Core } from "../../apps/page/core.mjs";
import { State } from "../../apps/page/state.mjs";

const core = await Core.load(readFileSync(process.argv[2]));
const state = new State(core.resize(), [{ name: "pytorch:bilinear" }], core.allowed("tesela.rules"));
const answers = JSON.parse(process.argv[3]).map((link) => {
  let error = "";
  try {
    state.read(`#${link}`);
  } catch (fault) {
    error = fault.message;
  }
  return { error, written: state.write() };
});
console.log(JSON.stringify(answers));
