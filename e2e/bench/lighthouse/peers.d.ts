/**
 * The parts of Lighthouse that are used here, so that types can be checked where it is not installed. It is installed
 * when a benchmark runs for the first time, and never with the product.
 */

declare module 'chrome-launcher' {
  interface LaunchedChrome {
    readonly port: number;
    readonly kill: () => void;
  }
  export function launch(options: {
    readonly chromePath: string;
    readonly chromeFlags: readonly string[];
  }): Promise<LaunchedChrome>;
}

declare module 'lighthouse' {
  export interface Result {
    readonly runtimeError?: { readonly message: string };
    readonly categories: Readonly<Record<string, Category | undefined>>;
    readonly audits: Readonly<Record<string, Audit | undefined>>;
  }
  interface Category {
    readonly score: number | null;
    readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
  }
  interface Audit {
    readonly score: number | null;
    readonly displayValue?: string;
  }
  interface Options {
    readonly port: number;
    readonly output: readonly string[];
    readonly onlyCategories: readonly string[];
    readonly logLevel: 'error';
  }
  type Run = { readonly lhr: Result; readonly report: readonly string[] };
  const lighthouse: (address: string, options: Options) => Promise<Run | undefined>;
  export { lighthouse as default };
}
