import type { ListControl } from './use-list-state.ts';

interface ShareCodesProps {
  readonly list: ListControl;
}

/** Whether addresses contain codes as they are, instead of their aliases. */
export function ShareCodes({ list: { sharesCodes, shareCodes } }: ShareCodesProps) {
  return (
    <label>
      <input
        type="checkbox"
        checked={sharesCodes}
        onChange={({ target }) => {
          shareCodes(target.checked);
        }}
      />{' '}
      Show account, firm and connection codes in links
    </label>
  );
}
