// Bitcoin-like: one append-only list of outputs. An output is never removed, only marked as spent.

export type Output = {
  ref: string;
  owner: string;
  value: number;
  spent: boolean;
  /** Set while the output pays for a pending deal. */
  deal: number | null;
};

type Deal = { payer: string; payee: string; value: number; expires: number; status: 'pending' | 'done' | 'void' };

export type Chain = { outputs: Output[]; deals: Deal[]; height: number };

export type Result = { ok: true; deal?: number } | { ok: false; error: string };

const fail = (error: string): Result => ({ ok: false, error });

export function newChain(): Chain {
  return { outputs: [], deals: [], height: 0 };
}

export function unspent(chain: Chain, owner: string): Output[] {
  return chain.outputs.filter((output) => output.owner === owner && !output.spent);
}

export function coinbase(chain: Chain, owner: string, value: number): Result {
  chain.height++;
  push(chain, owner, value, 0);
  return { ok: true };
}

/** A transaction: consumes outputs of one owner and creates new ones for a payee and for the change. */
export function transact(
  chain: Chain,
  signer: string,
  owner: string,
  payee: string,
  value: number,
  refs: string[] | null,
): Result {
  if (signer !== owner) return fail('bad signature');
  if (value < 1) return fail('dust');
  const used = refs === null ? select(chain, owner, value) : lookup(chain, owner, refs);
  if (used === null) return fail('missing or spent input');
  if (used.length > 100) return fail('transaction too large');
  const total = sum(used);
  if (total < value) return fail('insufficient funds');
  chain.height++;
  for (const output of used) output.spent = true;
  push(chain, payee, value, 0);
  if (total > value) push(chain, owner, total - value, 1);
  return { ok: true };
}

export function consolidate(chain: Chain, signer: string, owner: string, refs: string[]): Result {
  if (signer !== owner) return fail('bad signature');
  const used = lookup(chain, owner, refs);
  if (used === null || used.length === 0) return fail('missing or spent input');
  if (used.length > 100) return fail('transaction too large');
  chain.height++;
  for (const output of used) output.spent = true;
  push(chain, owner, sum(used), 0);
  return { ok: true };
}

export function propose(
  chain: Chain,
  signer: string,
  payer: string,
  payee: string,
  value: number,
  expires: number,
): Result {
  const deal = chain.deals.length;
  const funded = transact(chain, signer, payer, payer, value, null);
  if (!funded.ok) return funded;
  const output = chain.outputs.find(({ ref }) => ref === `${chain.height}:0`);
  if (output) output.deal = deal;
  chain.deals.push({ payer, payee, value, expires, status: 'pending' });
  return { ok: true, deal };
}

export function settle(chain: Chain, signer: string, id: number, clock: number): Result {
  const deal = chain.deals[id];
  if (deal === undefined || deal.status !== 'pending') return fail('not pending');
  if (signer !== deal.payee) return fail('bad signature');
  if (deal.expires <= clock) return fail('expired');
  deal.status = 'done';
  release(chain, id, deal, deal.payee);
  return { ok: true };
}

export function cancel(chain: Chain, signer: string, id: number, role: 'payer' | 'payee'): Result {
  const deal = chain.deals[id];
  if (deal === undefined || deal.status !== 'pending') return fail('not pending');
  if (signer !== deal[role]) return fail('bad signature');
  deal.status = 'void';
  release(chain, id, deal, deal.payer);
  return { ok: true };
}

/** Spends the output of a deal and creates one for its new owner. */
function release(chain: Chain, id: number, deal: Deal, owner: string): void {
  const locked = chain.outputs.find((output) => output.deal === id);
  if (locked !== undefined) locked.spent = true;
  chain.height++;
  push(chain, owner, deal.value, 0);
}

function push(chain: Chain, owner: string, value: number, index: number): void {
  chain.outputs.push({ ref: `${chain.height}:${index}`, owner, value, spent: false, deal: null });
}

/** Largest first. */
function select(chain: Chain, owner: string, value: number): Output[] {
  const free = unspent(chain, owner).filter((output) => output.deal === null);
  free.sort((a, b) => b.value - a.value);
  let total = 0;
  const count = free.findIndex((output) => (total += output.value) >= value);
  return count < 0 ? free : free.slice(0, count + 1);
}

function lookup(chain: Chain, owner: string, refs: string[]): Output[] | null {
  const found = new Set<Output>();
  for (const ref of refs) {
    const output = chain.outputs.find((one) => one.ref === ref);
    if (output === undefined || output.spent || output.owner !== owner) return null;
    if (output.deal !== null || found.has(output)) return null;
    found.add(output);
  }
  return [...found];
}

function sum(outputs: readonly Output[]): number {
  return outputs.reduce((total, output) => total + output.value, 0);
}
