import validate from 'compiled:orders';
import type { Read } from '../read.ts';

export const read: Read = (text) => {
  const rows: unknown = JSON.parse(text);
  return validate(rows) ? rows : null;
};
