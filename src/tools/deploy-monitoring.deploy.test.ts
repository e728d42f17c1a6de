import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '#testing/free-port.ts';
import { parsePrometheus } from '#testing/attacks/prometheus.ts';
import { findPromtool } from '#testing/promtool.ts';
import { startDesk } from '#testing/start-desk.ts';
import { root } from './paths.mjs';

const folder = join(root, 'deploy', 'prometheus');
let promtool: string;

// The first run may download the program.
beforeAll(() => {
  promtool = findPromtool();
}, 300_000);

function check(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(promtool, args, { cwd: folder, encoding: 'utf8', input });
  return { status, output: stdout + stderr };
}

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly description: string;
    readonly gridPos: Readonly<Record<'h' | 'w' | 'x' | 'y', number>>;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const dashboard = JSON.parse(readFileSync(join(root, 'deploy', 'grafana', 'perpdesk.json'), 'utf8')) as Dashboard;
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

describe('for Prometheus', () => {
  it.each([
    ['the configuration is valid', ['check', 'config', 'prometheus.yml']],
    ['the alerts are valid', ['check', 'rules', 'alerts.yml']],
    ['each alert fires when it should, and not before', ['test', 'rules', 'alerts.test.yml']],
  ])('%s', (_, args) => {
    const { status, output } = check(args);
    expect(output).toContain('SUCCESS');
    expect(status).toBe(0);
  });

  it(
    'the configuration with a token is valid, and Prometheus reads the metrics of a desk with it where people sign in',
    { timeout: 240_000 },
    async () => {
      const token = randomBytes(32).toString('hex');
      const [folderOfConfiguration, port] = [mkdtempSync(join(tmpdir(), 'perpdesk-prometheus-')), await findFreePort()];
      const desk = await startDesk({ server: { DESK_ACCESS: 'users', DESK_METRICS_TOKEN: token } });
      onTestFinished(async () => {
        await desk.stop();
        rmSync(folderOfConfiguration, { recursive: true });
      });
      const configuration = join(folderOfConfiguration, 'team.yml');
      for (const name of ['team.yml', 'alerts.yml'])
        writeFileSync(join(folderOfConfiguration, name), readFileSync(join(folder, name)));
      // `promtool` looks for the file with the token.
      expect(check(['check', 'config', configuration]).status).toBe(1);
      writeFileSync(join(folderOfConfiguration, 'perpdesk-token'), token, { mode: 0o600 });
      expect(check(['check', 'config', configuration]).output).toContain('SUCCESS');
      writeFileSync(
        configuration,
        readFileSync(configuration, 'utf8')
          .replace('scheme: https', 'scheme: http')
          .replace('desk.example', new URL(desk.server.address).host)
          .replace('15s', '1s'),
      );
      const prometheus = spawn(
        join(dirname(promtool), 'prometheus'),
        [
          `--config.file=${configuration}`,
          `--storage.tsdb.path=${join(folderOfConfiguration, 'data')}`,
          `--web.listen-address=127.0.0.1:${String(port)}`,
        ],
        { stdio: 'ignore' },
      );
      const ended = once(prometheus, 'close');
      onTestFinished(async () => {
        prometheus.kill('SIGTERM');
        await ended;
      });
      const readBuild = async (): Promise<unknown> =>
        (await (
          await fetch(`http://127.0.0.1:${String(port)}/api/v1/query?query=perpdesk_build_info`)
        ).json()) as unknown;
      await expect
        .poll(() => readBuild().catch(() => null), { timeout: 60_000, interval: 250 })
        .toMatchObject({ data: { result: [{ metric: { job: 'perpdesk' } }] } });
    },
  );

  it('no alert is without a test', () => {
    const read = (name: string, field: RegExp): readonly string[] =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(field)].map(([, alert = '']) => alert);
    const alerts = read('alerts.yml', /^ +- alert: (\w+)$/gm);
    expect(alerts.length).toBeGreaterThan(5);
    expect(new Set(read('alerts.test.yml', /^ +- alertname: (\w+)$/gm))).toEqual(new Set(alerts));
  });
});

describe('for Grafana', () => {
  it('each panel has a place of its own, a description and valid expressions', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, place) => `${String(x + (place % w))},${String(y + Math.floor(place / w))}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(dashboard.panels.filter(({ description, targets }) => description === '' || targets.length === 0)).toEqual(
      [],
    );
    const rules = expressions.map((expr, index) => ({
      record: `panel:${String(index)}`.replace(/\d+$/, (digits) => `n${digits}`),
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(mkdtempSync(join(tmpdir(), 'perpdesk-dashboard-')), 'rules.yml');
    onTestFinished(() => {
      rmSync(join(file, '..'), { recursive: true });
    });
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(check(['check', 'rules', file])).toMatchObject({ status: 0 });
  });
});

it(
  'a running desk has every metric that alerts and dashboard use, named as Prometheus recommends',
  { timeout: 120_000 },
  async () => {
    const desk = await startDesk();
    onTestFinished(desk.stop);
    await fetch(`${desk.api}/desk/working`);
    for (let count = 0; count < 2; count += 1) await fetch(`${desk.api}/product/specs/`);
    const text = await (await fetch(`${desk.server.address}metrics`)).text();
    const measured = parsePrometheus(text);
    const used =
      [...expressions, readFileSync(join(folder, 'alerts.yml'), 'utf8')]
        .join('\n')
        .match(/\b(?:perpdesk|process|nodejs)_\w+/g) ?? [];
    // Without a channel no notification can wait for delivery, and on this desk nobody signs in.
    const named = new Set([...measured.map(({ name }) => name), 'perpdesk_calls_waiting', 'perpdesk_sign_ins_total']);
    expect([...new Set(used)].filter((name) => !named.has(name))).toEqual([]);
    expect(
      measured.some(
        ({ name, labels }) => name === 'perpdesk_request_duration_seconds_bucket' && labels['outcome'] === 'hit',
      ),
    ).toBe(true);
    const documented = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
    const families = [...text.matchAll(/^# TYPE (perpdesk_\w+) /gm)].map(([, name = '']) => name);
    expect(families.filter((name) => !documented.includes(`\`${name}`))).toEqual([]);
    const own = text
      .split('\n')
      .filter((line) => /^(?:# (?:HELP|TYPE) )?perpdesk_/.test(line))
      .join('\n');
    expect(check(['check', 'metrics'], `${own}\n`)).toEqual({ status: 0, output: '' });
  },
);
