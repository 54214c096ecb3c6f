/** Long programs in addresses: compressed by DEFLATE, in the letters of base64url. */
import { deflate } from "../common/deflate.js";
import { inflate } from "../common/inflate.js";

const MOST = 262_144; // bytes, once unpacked

/** @type {[string, string]} the last text, and packed */ let last = ["", "AwA"];

/** @param {string} text @returns {string} */
export function pack(text) {
  if (text !== last[0]) {
    const bytes = Array.from(deflate(new TextEncoder().encode(text)), (byte) => String.fromCharCode(byte));
    last = [text, btoa(bytes.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")];
  }
  return last[1];
}

/** The text; null for one that is damaged. @param {string} packed @returns {string | null} */
export function unpack(packed) {
  if (!/^[\w-]*$/.test(packed)) return null;
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = inflate(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), MOST);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
