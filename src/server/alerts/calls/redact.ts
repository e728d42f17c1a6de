import { toPrintable } from '#server/core/printable.ts';

/** Makes what came back safe to show: without the channel's secrets, which a receiver may repeat, printable and short. */
export type Redact = (text: string) => string;

const SHORTEST = 4;

/** `secrets` are looked for as they are, and in the forms that addresses, JSON and mail servers give them. */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets.filter((secret) => secret.length >= SHORTEST).flatMap(formsOf);
  // The longest first: one may contain another.
  const ordered = [...new Set(forms)].sort((one, other) => other.length - one.length);
  return (text) => toPrintable(ordered.reduce((rest, form) => rest.replaceAll(form, '(secret)'), text));
}

function formsOf(secret: string): readonly string[] {
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ];
}
