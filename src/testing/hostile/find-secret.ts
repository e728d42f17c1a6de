/** A secret in every form in which it could be written somewhere. */
interface Form {
  readonly name: string;
  readonly text: string;
  readonly ignoresCase: boolean;
}

/** A part of a key is as bad as the start of one: enough of it to be no accident. */
const PART = 16;

/** What is found of a token of hexadecimal digits in what came out of a program: the form's name, or null. */
export function findSecret(output: Buffer | string, token: string): string | null {
  const text = typeof output === 'string' ? output : output.toString('latin1');
  const lower = text.toLowerCase();
  const found = formsOf(token).find((form) => (form.ignoresCase ? lower.includes(form.text.toLowerCase()) : text.includes(form.text)));
  return found?.name ?? null;
}

function formsOf(token: string): readonly Form[] {
  const bytes = Buffer.from(token, 'hex');
  const parts = [token.slice(0, PART), token.slice(-PART)];
  return [
    ...parts.map((text) => ({ name: 'as text', text, ignoresCase: true })),
    ...parts.map((text) => ({ name: 'as text backwards', text: Array.from(text).reverse().join(''), ignoresCase: true })),
    ...parts.map((text) => ({ name: 'in hex once more', text: Buffer.from(text).toString('hex'), ignoresCase: true })),
    ...parts.map((text) => ({ name: 'as JSON of a buffer', text: [...Buffer.from(text)].join(','), ignoresCase: false })),
    { name: 'as bytes', text: bytes.toString('latin1').slice(0, PART / 2), ignoresCase: false },
    { name: 'as JSON of its bytes', text: [...bytes.subarray(0, PART / 2)].join(','), ignoresCase: false },
    ...inBase64(Buffer.from(token)).map((text) => ({ name: 'in base64', text, ignoresCase: false })),
    ...inBase64(bytes).map((text) => ({ name: 'its bytes in base64', text, ignoresCase: false })),
  ];
}

/** Wherever in a longer text it begins, in both alphabets; without its ends, which depend on what stands beside it. */
function inBase64(secret: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), secret]).toString('base64').slice(4, 4 + PART + 4);
    return [encoded, encoded.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
