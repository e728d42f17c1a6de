import { Fragment } from 'react';

/** A long address breaks after a slash. */
export function Address({ url }: { readonly url: string }) {
  return url.split(/(?<=\/)(?!\/)/).map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}
