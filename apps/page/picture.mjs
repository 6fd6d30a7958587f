// Pictures: where they come from, how results are shown, and how two results differ.

/** Larger pictures are reduced by the browser, so that the reference backend stays quick. */
export const LONGEST = 512;

/** A picture: {name, width, height, pixels}, pixels being the bytes of red, those of green, and those of blue. */
function pictureOf(name, image) {
  const { width, height, data } = image;
  const pixels = new Uint8Array(width * height * 3);
  const plane = width * height;
  for (let i = 0; i < plane; i++) for (let k = 0; k < 3; k++) pixels[k * plane + i] = data[4 * i + k];
  return { name, width, height, pixels };
}

/** Rings that become finer outwards, a fine grid, slanted edges and smooth colours: what resizing gets wrong shows here. */
export function testChart() {
  const [width, height] = [288, 216];
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const radius = (x - 108) ** 2 + (y - 108) ** 2;
      const ring = 127.5 * (1 + Math.cos(radius / 72));
      const grid = (x >> 1) + (y >> 1) & 1 ? 235 : 20;
      const edge = 3 * (x - 222) + (y - 108) > 0 === (x - 252) - 4 * (y - 108) > 0 ? 240 : 25;
      const colour = x < 216 ? [ring, ring, ring] : y < 72 ? [grid, grid, grid]
        : y < 144 ? [edge, edge, edge] : [(x - 216) * 3.5, (y - 144) * 3.5, 255 - (x - 216) * 3.5];
      colour.forEach((value, k) => {
        pixels[(k * height + y) * width + x] = Math.max(0, Math.min(255, Math.round(value)));
      });
    }
  return { name: "Test chart", width, height, pixels };
}

/** source: a Blob or an address. Transparent parts become white. */
export async function readPicture(name, source) {
  const image = source instanceof Blob ? await createImageBitmap(source) : await loaded(source);
  const scale = Math.min(1, LONGEST / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return pictureOf(name, context.getImageData(0, 0, canvas.width, canvas.height));
}

async function loaded(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}

function byte(value) {
  return Math.max(0, Math.min(255, Math.round(value)));
}

/** Shows elements of 3 x H x W, floats rounded. */
export function paint(canvas, elements, height, width) {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  const plane = width * height;
  for (let i = 0; i < plane; i++) {
    for (let k = 0; k < 3; k++) image.data[4 * i + k] = byte(elements[k * plane + i]);
    image.data[4 * i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}

/** {differing, count, largest, gained}: gained has the differences, the largest of which is 255. */
export function compare(a, b) {
  let differing = 0;
  let largest = 0;
  const apart = new Float64Array(a.length);
  for (let i = 0; i < a.length; i++) {
    apart[i] = Math.abs(a[i] - b[i]);
    if (apart[i] > 0 || a[i] !== b[i]) differing++;
    largest = Math.max(largest, apart[i]);
  }
  const gained = largest > 0 ? apart.map((value) => (value * 255) / largest) : apart;
  return { differing, count: a.length, largest, gained };
}

/** "Equal in every bit." or how many values differ, and by how much. */
export function compareText({ differing, count, largest }) {
  if (differing === 0) return "Equal in every bit.";
  const share = (100 * differing) / count;
  const percent = share < 0.1 ? share.toPrecision(1) : share.toFixed(1);
  return `${percent} % of the values differ, at most by ${Number(largest.toPrecision(3))} of 255. ` +
    "The picture shows the differences stretched to the full range.";
}
