import { crc32 } from 'node:zlib';

/** The checksum of a part of a gzip stream, such that the checksum of the whole follows from those of its parts. */
export interface Crc {
  readonly value: number;
  /** What the checksum of all before is multiplied by: x to the power of the number of bits. */
  readonly shift: number;
}

/** In the arithmetic of CRC-32 the highest bit is 1, and each bit after it another power of x. */
const ONE = 0x8000_0000;
const X = ONE >>> 1;
const POLYNOMIAL = 0xedb8_8320;
const BITS = 32;
/** x to the power of 1, 2, 4, 8, ... */
const POWERS = Array.from({ length: BITS }).reduce<readonly number[]>(
  (powers) => [...powers, square(powers.at(-1))],
  [],
);

export const NO_BYTES: Crc = { value: 0, shift: ONE };

export function crcOf(bytes: Uint8Array): Crc {
  return { value: crc32(bytes), shift: powerOf(bytes.byteLength * 8) };
}

/** Takes no longer for large parts than for small ones. */
export function appendCrc(before: Crc, after: Crc): Crc {
  return {
    value: (multiply(before.value, after.shift) ^ after.value) >>> 0,
    shift: multiply(before.shift, after.shift),
  };
}

function square(power: number | undefined): number {
  return power === undefined ? X : multiply(power, power);
}

function powerOf(exponent: number): number {
  let product = ONE;
  for (let rest = exponent, place = 0; rest > 0; rest = Math.floor(rest / 2), place++) {
    if (rest % 2 === 1) product = multiply(product, POWERS[place % BITS] ?? ONE);
  }
  return product;
}

function multiply(one: number, other: number): number {
  let product = 0;
  let rest = other;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((one & bit) !== 0) product ^= rest;
    rest = (rest & 1) === 0 ? rest >>> 1 : (rest >>> 1) ^ POLYNOMIAL;
  }
  return product >>> 0;
}
