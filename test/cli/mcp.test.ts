import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program, root } from './coinlab.ts';

interface Reply {
  readonly id: number;
  readonly result: {
    readonly tools: readonly { readonly name: string; readonly description: string }[];
    readonly content: readonly [{ readonly text: string }];
    readonly isError?: boolean;
    readonly serverInfo: object;
  };
}

const OWN = join(root, 'packages/sim/examples/village.yaml');

let child: ChildProcess;
let ended: Promise<number | null>;
const waiting = new Map<number, (reply: Reply) => void>();
let requests = 0;

function ask(method: string, params: object): Promise<Reply['result']> {
  requests += 1;
  const id = requests;
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const answered = new Promise<Reply['result']>((resolve) => waiting.set(id, ({ result }) => resolve(result)));
  const died = ended.then((code) => Promise.reject(new Error(`coinlab mcp ended with exit code ${code}`)));
  return Promise.race([answered, died]);
}

/** Calls a tool. Returns its answer, parsed if it is JSON. */
async function call(name: string, given: object = {}): Promise<{ isError: boolean; value: any }> {
  const { content, isError = false } = await ask('tools/call', { name, arguments: given });
  const [{ text }] = content;
  return { isError, value: text.startsWith('{') && !text.includes('\n{') ? JSON.parse(text) : text };
}

beforeAll(async () => {
  child = spawn(process.execPath, [program(), 'mcp'], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  ended = new Promise((resolve) => child.once('exit', resolve));
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const reply = JSON.parse(line) as Reply;
    waiting.get(reply.id)?.(reply);
  });
  const client = { name: 'test', version: '1.0.0' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client });
  child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
});
afterAll(() => child.kill());

describe('coinlab mcp', () => {
  it('describes every tool', async () => {
    const { tools } = await ask('tools/list', {});
    expect(tools.map(({ name }) => name)).toEqual([
      'start_world',
      'describe_world',
      'submit',
      'advance_time',
      'request',
      'read_log',
      'explain_refusal',
      'scenario_schema',
      'run_scenario',
      'compare_policies',
    ]);
    for (const { description } of tools) expect(description.length).toBeGreaterThan(40);
  });

  it('starts a network with given coins, taps, advances the time and reads the log', async () => {
    const started = await call('start_world', { start: { parties: [{ name: 'zoe', coins: ['5', '0.25'] }] } });
    const zoe = started.value.users.find(({ user }: { user: string }) => user === 'zoe');
    expect(zoe).toMatchObject({ total: '5.25', coins: 2 });
    const command = { type: 'Tap', receiver: zoe.party, amount: '2' };
    const checked = await call('submit', { command, actAs: ['zoe'], dryRun: true });
    expect(checked.value.status).toBe(200);
    const tapped = await call('submit', { command, actAs: ['zoe'] });
    expect(tapped.value).toMatchObject({ status: 200, answer: { kind: 'Tapped' } });
    const before = await call('describe_world');
    expect(before.value.users.find(({ user }: { user: string }) => user === 'zoe')).toMatchObject({ total: '7.25' });
    expect((await call('advance_time')).value).toMatchObject({ status: 400 });
    const after = await call('advance_time', { seconds: 3600 });
    expect(Date.parse(after.value.time) - Date.parse(before.value.time)).toBe(3_600_000);
    const log = await call('read_log', { from: before.value.offset - 1, limit: 1 });
    expect(log.value.body.updates).toEqual([expect.objectContaining({ kind: 'Tapped' })]);
  });

  it('explains the refusal of a command', async () => {
    const { value } = await call('describe_world');
    const [{ party }] = value.users;
    const refused = await call('submit', { command: { type: 'Tap', receiver: party, amount: '0' }, actAs: [party] });
    expect(refused.value).toMatchObject({
      answer: { code: 'NON_POSITIVE_AMOUNT' },
      meaning: 'an amount that must be above zero is not',
      retry: 'never',
    });
  });

  it('sends requests as a user', async () => {
    await call('start_world');
    const { value } = await call('request', { path: '/v0/wallet/balance', user: 'alice' });
    expect(value).toMatchObject({ status: 200, body: { effective_unlocked_qty: '10000.0000000000' } });
    expect((await call('request', { path: '/v0/wallet/balance' })).value.status).toBe(401);
  });

  it.each([
    ['explain_refusal', { code: 'DUPLICATE_INPUTS' }, "code: got 'DUPLICATE_INPUTS'"],
    ['start_world', { settings: { prot: 5 } }, 'prot'],
    ['start_world', { start: { partys: [] } }, 'partys'],
    ['run_scenario', {}, 'file, scenario: expected exactly one of the two'],
    ['run_scenario', { file: 'none.yaml' }, 'none.yaml'],
    ['run_scenario', { scenario: 'name: [' }, 'scenario.yaml:1:8'],
    ['advance_time', { seconds: -5 }, 'seconds'],
    ['run_scenario', { file: OWN, policy: 'my-policy.ts#thrifty' }, '--allow-policy-files'],
    ['run_scenario', { file: '--policy=my-policy.ts#thrifty' }, 'no such file'],
    ['run_scenario', { scenario: `policies: ./policies.mjs\n${readFileSync(OWN, 'utf8')}` }, '--allow-policy-files'],
    ['compare_policies', { file: OWN, policies: ['./my-policy.ts', 'largest-first'] }, '--allow-policy-files'],
    ['start_world', { settings: { dev: false } }, 'settings.dev'],
  ])('%s refuses %j and names the fault', async (name, given, message) => {
    const { isError, value } = await call(name, given);
    expect(isError).toBe(true);
    expect(value).toContain(message);
  });

  it('runs a scenario and compares policies', async () => {
    const file = join(root, 'packages/sim/examples/village.yaml');
    const { value } = await call('run_scenario', { file, policy: 'oldest-first', replicates: 1 });
    expect(value.metrics.transfers).toBeGreaterThan(0);
    const compared = await call('compare_policies', {
      file,
      policies: ['oldest-first', 'largest-first'],
      replicates: 2,
    });
    expect(compared).toMatchObject({ isError: false });
    expect(compared.value).toContain('largest-first');
  });

  it('runs as many replicates as coinlab run by default', async () => {
    const scenario = 'name: x\nduration: { rounds: 2 }\nparties:\n  - { name: payers, count: 3 }\n';
    const { value } = await call('run_scenario', { scenario });
    expect(String(value).trim().split('\n')).toHaveLength(5);
  });

  it('ends with code 0 when stdin ends', async () => {
    child.stdin?.end();
    expect(await ended).toBe(0);
  });
});
