/**
 * Long programs in addresses: compressed by DEFLATE, in the letters of base64url. A browser without compression streams writes the
 * plain program instead.
 */

const FORMAT = "deflate-raw";
const MOST = 262_144; // bytes, once unpacked
const PIECE = 512; // packed bytes read at once, which hold at most 1,032 times as many
const KNOWN = 4; // texts: those of this picture, of the one before, of the editor, of a draft

/** @type {Map<string, string | null>} the last texts, packed; null: not yet */ const known = new Map();
/** @type {() => void} */ let listener = () => {};

/** Have a listener called once a text is packed that `packed` did not know. @param {() => void} onPacked */
export const whenPacked = (onPacked) => {
  listener = onPacked;
};

/** A text packed, as links need it at once; null if it is not known yet. @param {string} text @returns {string | null} */
export function packed(text) {
  if (!known.has(text) && typeof CompressionStream === "function") {
    keep(text, null);
    pack(text).then((found) => found && listener());
  }
  return known.get(text) ?? null;
}

/** @param {string} text @returns {Promise<string | null>} null in a browser that cannot */
export async function pack(text) {
  try {
    const bytes = await collected(new Blob([text]).stream().pipeThrough(new CompressionStream(FORMAT)), Infinity);
    const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return keep(text, letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""));
  } catch {
    return null;
  }
}

/** The text; null for one that is damaged, or too long. @param {string} packed @returns {Promise<string | null>} */
export async function unpack(packed) {
  if (!/^[\w-]*$/.test(packed)) return null;
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const source = pieces(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
    const bytes = await collected(source.pipeThrough(new DecompressionStream(FORMAT)), MOST);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    keep(text, packed); // a link keeps its letters
    return text;
  } catch {
    return null;
  }
}

/** @template {string | null} T @param {string} text @param {T} packed @returns {T} */
function keep(text, packed) {
  known.delete(text);
  known.set(text, packed);
  for (const old of [...known.keys()].slice(0, -KNOWN)) known.delete(old);
  return packed;
}

/** In pieces on demand, so that no more is unpacked than is read. @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {ReadableStream<Uint8Array<ArrayBuffer>>} */
function pieces(bytes) {
  let at = 0;
  return new ReadableStream({
    pull(stream) {
      if (at < bytes.length) stream.enqueue(bytes.slice(at, at + PIECE));
      else stream.close();
      at += PIECE;
    },
  }, { highWaterMark: 0 });
}

/** Throws RangeError for more than `most` bytes. @param {ReadableStream<Uint8Array>} stream @param {number} most */
async function collected(stream, most) {
  const reader = stream.getReader();
  /** @type {BlobPart[]} */ const parts = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (next.value));
    size += next.value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError("too long");
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
