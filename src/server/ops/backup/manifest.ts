import { instant, integer, text } from '#contract/exchange/fields.ts';
import { createParser } from '#contract/parse/parse.ts';
import { list, row, type Static } from '#contract/exchange/schema.ts';
import { isBackedUp } from './data-files.ts';

export const MANIFEST_NAME = 'manifest.json';
export const BACKUP_FORMAT = 1;

const BackupManifest = row('BackupManifest', 'What a backup contains.', {
  format: integer('Format of the backup: 1.'),
  version: text('Version of Perpdesk that made it.'),
  made_at: instant('When the backup was made.'),
  files: list(
    row('BackupFile', 'One file.', {
      name: text('Name in the data folder.'),
      bytes: integer('Size.'),
      sha256: text('SHA-256 of its content, in hexadecimal digits.'),
    }),
  ),
});
export type BackupManifest = Static<typeof BackupManifest>;
export type BackupFile = BackupManifest['files'][number];

const parser = createParser(BackupManifest, 'files');

/** Parses a manifest. Throws a sentence if this version cannot restore the backup. */
export function parseManifest(json: string, ownVersion: string): BackupManifest {
  const { value } = parser.tolerant(json);
  if (value === null) throw new Error(`Its ${MANIFEST_NAME} is not the manifest of a backup.`);
  const { format, version, files } = value;
  if (format !== BACKUP_FORMAT || isLater(version, ownVersion))
    throw new Error(
      `It was made by Perpdesk ${version}, and this is ${ownVersion}. Restore it with version ${version} or later.`,
    );
  const names = files.map(({ name }) => name);
  if (
    names.length === 0 ||
    new Set(names).size !== names.length ||
    !names.every((name) => isBackedUp(name) && name !== MANIFEST_NAME)
  )
    throw new Error(`Its ${MANIFEST_NAME} lists files that no backup has.`);
  return value;
}

function isLater(version: string, than: string): boolean {
  const [ours, theirs] = [than, version].map((text) => text.split(/[.-]/).map(Number));
  for (let index = 0; index < 3; index += 1) {
    const difference = (theirs?.[index] ?? 0) - (ours?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
