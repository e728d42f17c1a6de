/** A form in which a secret could be written. */
interface Form {
  readonly name: string;
  readonly text: string;
  readonly ignoresCase: boolean;
}

/** How much of a token counts: a part is as bad as the whole, but must be long enough not to match by accident. */
const PART = 16;

/** Returns the form in which a program's output contains a hexadecimal token, or null. */
export function findSecret(output: Buffer | string, token: string): string | null {
  const text = typeof output === 'string' ? output : output.toString('latin1');
  const lower = text.toLowerCase();
  const found = formsOf(token).find((form) =>
    form.ignoresCase ? lower.includes(form.text.toLowerCase()) : text.includes(form.text),
  );
  return found?.name ?? null;
}

function formsOf(token: string): readonly Form[] {
  const bytes = Buffer.from(token, 'hex');
  const parts = [token.slice(0, PART), token.slice(-PART)];
  return [
    ...parts.map((text) => ({ name: 'as text', text, ignoresCase: true })),
    ...parts.map((text) => ({
      name: 'as text backwards',
      text: Array.from(text).reverse().join(''),
      ignoresCase: true,
    })),
    ...parts.map((text) => ({ name: 'in hex once more', text: Buffer.from(text).toString('hex'), ignoresCase: true })),
    ...parts.map((text) => ({
      name: 'as JSON of a buffer',
      text: [...Buffer.from(text)].join(','),
      ignoresCase: false,
    })),
    { name: 'as bytes', text: bytes.toString('latin1').slice(0, PART / 2), ignoresCase: false },
    { name: 'as JSON of its bytes', text: [...bytes.subarray(0, PART / 2)].join(','), ignoresCase: false },
    ...inBase64(Buffer.from(token)).map((text) => ({ name: 'in base64', text, ignoresCase: false })),
    ...inBase64(bytes).map((text) => ({ name: 'its bytes in base64', text, ignoresCase: false })),
  ];
}

/**
 * Encodes the token at any offset in a longer text, in both alphabets. The ends are left out, because they depend on
 * the surrounding text.
 */
function inBase64(secret: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), secret])
      .toString('base64')
      .slice(4, 4 + PART + 4);
    return [encoded, encoded.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
