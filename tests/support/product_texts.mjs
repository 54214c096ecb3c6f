/** Writes factors and products with the digits that make them right: `node product_texts.mjs MODULE CASES`.
 *
 * CASES is a file of JSON, a list of [factor, factor, product] as texts.
 */
import { readFileSync } from "node:fs";

const [module, file] = process.argv.slice(2);
const { inEquation, moreDigits } = await import(module);
const found = JSON.parse(readFileSync(file, "utf8")).map((row) => {
  const [a, b, product] = row.map(Number);
  const more = moreDigits([a, b], product, (x, y) => x * y);
  return [inEquation(a, false, more), inEquation(b, false, more), inEquation(product)];
});
process.stdout.write(JSON.stringify(found));
