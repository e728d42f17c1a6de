/** The parts of the peers that are used here. They are installed when a benchmark runs for the first time. */

declare module 'ag-grid-community' {
  export const AllCommunityModule: unknown;
  export const ModuleRegistry: { readonly registerModules: (modules: readonly unknown[]) => void };
  interface Theme {
    readonly withParams: (params: Readonly<Record<string, string | number>>) => Theme;
  }
  export const themeQuartz: Theme;
  export interface GridApi {
    readonly applyColumnState: (state: unknown) => void;
    readonly setColumnFilterModel: (column: string, model: unknown) => Promise<void>;
    readonly onFilterChanged: () => void;
    readonly setGridOption: (name: 'quickFilterText', value: string) => void;
  }
}

declare module 'ag-grid-react' {
  import type { GridApi } from 'ag-grid-community';
  import type { ReactNode } from 'react';
  export function AgGridReact(
    props: Readonly<Record<string, unknown>> & { readonly onGridReady: (event: { readonly api: GridApi }) => void },
  ): ReactNode;
}

declare module '@tanstack/react-virtual' {
  interface Item {
    readonly index: number;
    readonly start: number;
    readonly key: string | number;
  }
  export function useVirtualizer(options: {
    readonly count: number;
    readonly getScrollElement: () => HTMLElement | null;
    readonly estimateSize: () => number;
    readonly overscan: number;
  }): { readonly getTotalSize: () => number; readonly getVirtualItems: () => readonly Item[] };
}
