import { ContractId, Engine, type Update } from '@coinlab/core';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import { readPostgresLog } from '@coinlab/store';

/** A server, and the header of each user's token. */
export interface Target {
  readonly url: string;
  readonly headers: readonly Readonly<Record<string, string>>[];
}

export interface Checkpoint {
  readonly offset: number;
  readonly hash: string;
}

/** Answers of servers. An offer without an answer may or may not be in the log. */
export interface Answers {
  /** Contract ids by tracking id. */
  readonly offered: Map<string, string>;
  readonly accepted: Set<string>;
  /** Senders by tracking id. */
  readonly unanswered: Map<string, number>;
  readonly checkpoints: Checkpoint[];
  readonly faults: string[];
}

export const noAnswers = (): Answers => ({
  offered: new Map(),
  accepted: new Set(),
  unanswered: new Map(),
  checkpoints: [],
  faults: [],
});

const OFFERS = '/v0/wallet/transfer-offers';

async function ask(
  { url, headers }: Target,
  user: number,
  path: string,
  { body, signal }: { readonly body?: object; readonly signal?: AbortSignal } = {},
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const answer = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers[user % headers.length], 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

export async function partiesOf(target: Target): Promise<readonly string[]> {
  return Promise.all(
    target.headers.map(async (_, user) => String((await ask(target, user, '/v0/wallet/user-status')).body['party_id'])),
  );
}

export async function stateOf(target: Target, signal: AbortSignal): Promise<Checkpoint | null> {
  const { status, body } = await ask(target, 0, '/dev/state', { signal });
  return status === 200 ? { offset: Number(body['offset']), hash: String(body['hash']) } : null;
}

/** Returns the status of `/readyz`. */
export async function readiness(target: Target, signal: AbortSignal): Promise<number> {
  return (await ask(target, 0, '/readyz', { signal })).status;
}

/**
 * Offers a small amount to the next user. Returns false when the server refused it or did not answer, so that its outcome is unknown.
 * A repeated offer that took effect at its first attempt is answered with 409.
 */
export async function offer(
  target: Target,
  { user, id, receiver }: { readonly user: number; readonly id: string; readonly receiver: string },
  answers: Answers,
  signal?: AbortSignal,
): Promise<boolean> {
  answers.unanswered.set(id, user);
  const body = {
    receiver_party_id: receiver,
    amount: '0.01',
    description: 'reliability',
    expires_at: (Date.now() + 3_600_000) * 1000,
    tracking_id: id,
  };
  const answer = await ask(target, user, OFFERS, { body, ...(signal && { signal }) }).catch(() => null);
  if (!answer || answer.status === 503) return false;
  if (answer.status !== 200 && answer.status !== 409)
    answers.faults.push(`offer ${id}: ${answer.status} ${JSON.stringify(answer.body)}`);
  answers.unanswered.delete(id);
  if (answer.status !== 200) return true;
  const contract = String(answer.body['offer_contract_id']);
  answers.offered.set(id, contract);
  const accepted = await ask(target, user + 1, `${OFFERS}/${contract}/accept`, {
    body: {},
    ...(signal && { signal }),
  }).catch(() => null);
  if (accepted?.status === 200) answers.accepted.add(contract);
  return true;
}

/**
 * Reads the log and compares it with the answers: each acknowledged command occurs exactly once, every other one at most once, and each
 * reported state is that of a prefix of the log. Returns the offset of each offer.
 */
export async function compareWithLog(address: string, answers: Answers): Promise<ReadonlyMap<string, number>> {
  const { faults } = answers;
  const engine = new Engine();
  const hashes = new Map(answers.checkpoints.map(({ offset }) => [offset, '']));
  const offered = new Map<string, { readonly contract: string; readonly offset: number }>();
  const accepted = new Set<string>();
  const onUpdate = (update: Update): void => {
    engine.apply(update);
    if (hashes.has(update.offset)) hashes.set(update.offset, engine.hash());
    if (update.kind === 'TransferOffered') {
      const id = update.detail.meta[TRACKING_ID_KEY] ?? '';
      if (offered.has(id)) faults.push(`offer ${id} is there twice`);
      offered.set(id, { contract: ContractId.format(update.detail.instruction), offset: update.offset });
    }
    if (update.kind === 'TransferAccepted') {
      const contract = ContractId.format(update.detail.instruction);
      if (accepted.has(contract)) faults.push(`acceptance of ${contract} is there twice`);
      accepted.add(contract);
    }
  };
  const read = await readPostgresLog({ address, onUpdate });
  if (!read.ok) faults.push(`the log was refused: ${JSON.stringify(read.error)}`);
  for (const [id, contract] of answers.offered)
    if (offered.get(id)?.contract !== contract)
      faults.push(`offer ${id} was acknowledged as ${contract}; the log has ${offered.get(id)?.contract ?? 'nothing'}`);
  for (const contract of answers.accepted)
    if (!accepted.has(contract)) faults.push(`acceptance of ${contract} was acknowledged; the log does not have it`);
  for (const { offset, hash } of answers.checkpoints)
    if (hashes.get(offset) !== hash)
      faults.push(`the state at offset ${offset} differs from the one that a server reported`);
  answers.checkpoints.length = 0;
  return new Map([...offered].map(([id, { offset }]) => [id, offset]));
}
