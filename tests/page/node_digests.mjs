// Digests of groups of cases, one line each. Arguments: the core (.wasm), how many groups.
import { readFileSync } from "node:fs";
import { Core } from "../../apps/page/core.mjs";

const core = await Core.load(readFileSync(process.argv[2]));
for (let group = 0; group < Number(process.argv[3]); group++) console.log(core.digest(group));
