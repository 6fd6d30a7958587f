// The order of axes that presets of Pillow choose, for [[height, width], [new height, new width]] as JSON: by rule a list of orders.
// Arguments: the core (not used), the sides.
import { settledFields } from "../../apps/page/calls.mjs";

const sides = JSON.parse(process.argv[3]);
const orders = (order) => sides.map(([before, after]) => settledFields({ weights: "fixed22", order }, before, after).order);
console.log(JSON.stringify(Object.fromEntries(["by_pillow", "by_pillow_12", "interleaved"].map((order) => [order, orders(order)]))));
