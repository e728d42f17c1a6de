const common = { text: () => '', value: () => null } as const;

/** The columns of a grid, one of each kind: pinned, hidden, narrow, and without sorting. */
export const gridColumns = [
  { ...common, id: 'symbol', title: 'Symbol', kind: 'text', width: 90, pinned: 'start' },
  { ...common, id: 'side', title: 'Side', kind: 'text', width: 50 },
  { ...common, id: 'ack', title: 'Ack', kind: 'text', width: 90, hidden: true },
  { ...common, id: 'price', title: 'Price', kind: 'number', width: 90 },
  { ...common, id: 'size', title: 'Size', kind: 'number', width: 30 },
  { ...common, id: 'trend', title: 'Trend', kind: 'text', width: 90, unsorted: true },
] as const;
