import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { program, root } from './coinlab.ts';

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
}

describe('the GitHub action', () => {
  it('starts a server with its settings and returns its address and tokens that work', async () => {
    const ended = act({
      INPUT_PORT: String(await freePort()),
      INPUT_USERS: 'alice  bob',
      INPUT_SETTINGS: '{"seed":7}',
    });
    const { url = '', tokens = '{}' } = ended.outputs;
    const pid = Number(/process (\d+)/.exec(ended.stdout)?.[1]);
    try {
      const { alice } = JSON.parse(tokens) as Record<string, string>;
      const answer = await fetch(`${url}/v0/wallet/balance`, { headers: { authorization: `Bearer ${alice}` } });
      expect({ status: ended.status, answer: answer.status, users: Object.keys(JSON.parse(tokens) as object) }).toEqual(
        {
          status: 0,
          answer: 200,
          users: ['alice', 'bob'],
        },
      );
    } finally {
      process.kill(pid);
    }
  });

  it.each([
    ['{"clok":1}', 'clok: got "clok", expected a known field; the nearest is clock'],
    ['[', 'settings: got [, expected a JSON object'],
  ])('fails with the message of the server for the settings %s', async (settings, message) => {
    const { status, stderr, outputs } = act({ INPUT_PORT: String(await freePort()), INPUT_SETTINGS: settings });
    expect({ status, outputs }).toEqual({ status: 1, outputs: {} });
    expect(stderr).toContain(message);
  });

  it('declares exactly the inputs that its script reads', () => {
    const { inputs, runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
      inputs: object;
      runs: { steps: { env: Record<string, string> }[] };
    };
    const passed = Object.keys(runs.steps[0]?.env ?? {}).toSorted();
    const script = readFileSync(join(root, 'scripts/action.mjs'), 'utf8');
    const read = [...new Set(script.match(/\bINPUT_[A-Z_]+/g))].filter((name) => name !== 'INPUT_PROGRAM').toSorted();
    expect(passed).toEqual(read);
    expect(
      Object.keys(inputs)
        .map((name) => `INPUT_${name.replaceAll('-', '_').toUpperCase()}`)
        .toSorted(),
    ).toEqual(read);
  });
});

describe('the workflows', () => {
  it.each(['ci', 'nightly', 'release'])('%s runs only commands that exist', (name) => {
    const text = readFileSync(join(root, `.github/workflows/${name}.yml`), 'utf8');
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const commands = [...text.matchAll(/(?:run: |- )(npm (?:run )?\S+|node \S+|\.ci\/\S+)/g)].map(
      (match) => match[1] ?? '',
    );
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((command) => !exists(command, scripts))).toEqual([]);
  });
});

function exists(command: string, scripts: object): boolean {
  const [first = '', second = '', third = ''] = command.split(' ');
  if (first !== 'npm') return existsSync(join(root, first === 'node' ? second : first));
  return second === 'publish' || (second === 'run' ? third : second) in scripts;
}

function act(inputs: Readonly<Record<string, string>>): Ended {
  const file = join(tmpdir(), `outputs-${process.pid}`);
  writeFileSync(file, '');
  const env = { ...process.env, INPUT_PROGRAM: `${process.execPath} ${program()}`, GITHUB_OUTPUT: file, ...inputs };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/action.mjs')], {
    env,
    encoding: 'utf8',
  });
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const outputs = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  return { status, stdout, stderr, outputs };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
