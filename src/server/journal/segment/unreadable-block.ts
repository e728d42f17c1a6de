/** Bytes that are not, or no longer, a block that this version can read. Its message is a sentence. */
export class UnreadableBlock extends Error {
  override readonly name = 'UnreadableBlock';
}
