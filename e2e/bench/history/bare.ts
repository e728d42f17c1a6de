/** Measures what the machine itself can do: a page of rows and nothing else, each with another text in every frame. */

interface BarePage {
  readonly frames: number;
  readonly rows: number;
  readonly rowPx: number;
  readonly lines: number;
  readonly widths: readonly number[];
}

/** Creates the page, with as many rows and columns and the same width as the history in the same window. */
export function toBarePage(frames: number): BarePage {
  return { frames, rows: 32, rowPx: 28, lines: 40_000, widths: [60, 160, 120, 120, 140, 280, 220] };
}

/** Runs in the page: scrolls one screen per frame and returns how far apart its frames were. */
export function scrollBare({ frames, rows, rowPx, lines, widths }: BarePage): Promise<number[]> {
  const style = new CSSStyleSheet();
  style.replaceSync(`
    .scroller { position: relative; block-size: 740px; margin-block: 100px; overflow: auto; contain: strict; font: 12px/27px sans-serif }
    .row { position: absolute; inset: 0 auto auto 0; inline-size: 1100px; block-size: ${rowPx}px; border-block-end: 1px solid #eee; contain: strict }
    .cell { position: absolute; inset-block-start: 0; block-size: 100%; padding-inline: 8px; white-space: pre; contain: layout style size }`);
  document.adoptedStyleSheets = [style];
  const div = (name: string, parent: Element): HTMLElement => {
    const element = document.createElement('div');
    element.className = name;
    parent.append(element);
    return element;
  };
  const scroller = div('scroller', document.body);
  const content = div('content', scroller);
  content.style.height = `${lines * rowPx}px`;
  const pool = Array.from({ length: rows }, () => {
    const element = div('row', content);
    let left = 0;
    const texts = widths.map((width) => {
      const cell = div('cell', element);
      cell.style.cssText = `left: ${left}px; width: ${width}px`;
      left += width;
      const text = document.createTextNode('');
      cell.append(text);
      return text;
    });
    return { element, texts };
  });
  const draw = (from: number, seed: number): void => {
    scroller.scrollTop = from * rowPx;
    for (let line = from; line < from + rows; line++) {
      const row = pool[line % rows];
      if (row === undefined) continue;
      row.element.style.transform = `translateY(${line * rowPx}px)`;
      // The text has a letter for each twelve pixels of width, and no text is that of another line.
      for (const [index, text] of row.texts.entries())
        text.data = String((line + seed) * 7_919 + index).padEnd((widths[index] ?? 0) / 12, '0');
    }
  };
  return new Promise((resolve) => {
    const frameMs: number[] = [];
    let last = performance.now();
    const frame = (): void => {
      const now = performance.now();
      frameMs.push(now - last);
      last = now;
      draw((frameMs.length * (rows - 7)) % (lines - rows), frameMs.length);
      if (frameMs.length < frames) requestAnimationFrame(frame);
      else resolve(frameMs);
    };
    requestAnimationFrame(frame);
  });
}
