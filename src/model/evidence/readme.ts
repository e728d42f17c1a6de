import type { EvidenceOrigin } from './manifest.ts';

/** `README.txt`: for somebody who has only the file. */
export function formatReadme({
  title,
  made_at: madeAt,
  exchange,
  pseudonyms,
}: Pick<EvidenceOrigin, 'title' | 'made_at' | 'exchange' | 'pseudonyms'>): string {
  return `${title}
${'='.repeat(title.length)}

Evidence of what Perpdesk showed of ${exchange.name} (${exchange.base_url}), made at ${madeAt}.

rows.csv, rows.json   The rows of the screen, in its order: raw values, converted values, and the text shown.
answers/              The answers that the rows were computed from, with the path, time and cache status of each.
proof.json            Whether anything is missing, and how that is known.
conversions.json      The factor and contract size of each conversion, and where they are from.
manifest.json         Every file with its size and SHA-256, the screen with its filters, and the versions.
sha256sums.txt        The same sums for sha256sum.

${pseudonyms ? 'Pseudonyms stand for the codes of accounts, firms and connections. One Perpdesk uses the same pseudonyms in all of its\nfiles; without its key they cannot be resolved. The answers are therefore not byte for byte as received.' : 'The answers are byte for byte as received. They contain the codes of accounts, firms and connections.'}

To check it
-----------

  sha256sum -c sha256sums.txt              in this folder: no file was changed or lost
  npm run evidence -- check FILE.zip       in a copy of Perpdesk: also computes rows, proof and conversions again

The file is not signed. It shows that rows, answers and proof agree, not who made it: keep its own SHA-256, which Perpdesk
shows when it saves the file, where others cannot change it.
`;
}
