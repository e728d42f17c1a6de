/** Draws the same cells with the same styles, as static HTML. */
import '../../../../src/page/kit/tokens.css';
import '../../../../src/page/kit/base.css';
import '../../../../src/page/kit/grid/grid.module.css';
import '../../../../src/page/screens/markets/shared/markets-screen.module.css';
import { register, untilPainted } from './stage.ts';

let html = '';

register({
  prepare: async () => {
    const whole = new DOMParser().parseFromString(await (await fetch('/static.html.txt')).text(), 'text/html');
    const list = whole.querySelector('[role=grid]')?.closest('[data-stale]');
    html = list?.innerHTML ?? '';
    list?.replaceChildren();
    document.getElementById('root')?.append(...whole.body.childNodes);
  },
  show: () =>
    untilPainted(
      () => {
        const list = document.querySelector('[data-stale]');
        if (list !== null) list.innerHTML = html;
      },
      () => document.querySelector('[role=gridcell]') !== null,
    ),
});
